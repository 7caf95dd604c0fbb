/**
 * What demos with processes of their own share: how a process is started, spoken to, killed and
 * paused, how a crew of them is watched and ended, and how they reach each other. Knows nothing of
 * what the processes do.
 */
@NullMarked
package io.waymark.cli.processes;

import org.jspecify.annotations.NullMarked;
