/**
 * The engine of {@code waymark demo queue}: hosts of mailboxes, producers and consumers as
 * processes of their own, somebody who kills and pauses them, and a comparison of what producers
 * and consumers wrote down themselves. Knows nothing of the command line.
 */
@NullMarked
package io.waymark.cli.queue;

import org.jspecify.annotations.NullMarked;
