/**
 * A partitioned event stream: events of one key go to one partition, and each of several consumers
 * gets every event at its own pace.
 */
@NullMarked
package io.waymark.examples.events;

import org.jspecify.annotations.NullMarked;
