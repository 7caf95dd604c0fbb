/**
 * The engine of {@code waymark demo shards}: coordinators, members and readers as processes of
 * their own, somebody who changes the group through them, somebody who kills and pauses them, and
 * what is checked in the end. Knows nothing of the command line.
 */
@NullMarked
package io.waymark.cli.shards;

import org.jspecify.annotations.NullMarked;
