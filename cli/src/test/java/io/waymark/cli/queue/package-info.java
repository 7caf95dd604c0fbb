/** Tests of the engine of the demo of the queue. */
@NullMarked
package io.waymark.cli.queue;

import org.jspecify.annotations.NullMarked;
