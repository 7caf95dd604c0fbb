/**
 * Opens what the commands of {@code waymark topology} work on: the database of a coordinator, and
 * the store that it publishes to. Knows nothing of the command line but the text forms of both.
 */
@NullMarked
package io.waymark.cli.stores;

import org.jspecify.annotations.NullMarked;
