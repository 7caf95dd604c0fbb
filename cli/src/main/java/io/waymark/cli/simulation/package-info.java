/**
 * The engine of {@code waymark demo routing}: virtual time, servers with queues, callers that pick
 * them with the product's own selectors and policies, and scenarios whose results have something to
 * be compared with. Everything happens on the thread that runs a scenario, in an order that only
 * the seed decides. Knows nothing of the command line.
 */
@NullMarked
package io.waymark.cli.simulation;

import org.jspecify.annotations.NullMarked;
