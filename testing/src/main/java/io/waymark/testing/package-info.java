/**
 * Tools for tests of programs that call several nodes: a clock that stands still, random numbers
 * that can be had again, free ports, and a TCP proxy that injects faults.
 *
 * <p>Nothing here knows a protocol or another module of Waymark; a real PostgreSQL cluster with
 * levers of its own is in {@code io.waymark.testing.postgres}. JUnit is optional: only {@link
 * io.waymark.testing.SeededRandomExtension} needs it.
 */
@NullMarked
package io.waymark.testing;

import org.jspecify.annotations.NullMarked;
