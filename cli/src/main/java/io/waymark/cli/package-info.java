/**
 * The {@code waymark} command: a demo on a real cluster, and answers about the user's own servers.
 *
 * <p>Nothing here decides a route or reads a position: the commands use the libraries as any
 * program would and show what they say. It is a program, not an API.
 */
@NullMarked
package io.waymark.cli;

import org.jspecify.annotations.NullMarked;
