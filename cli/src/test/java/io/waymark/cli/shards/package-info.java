/** Tests of the engine of the demo of shards. */
@NullMarked
package io.waymark.cli.shards;

import org.jspecify.annotations.NullMarked;
