/**
 * Runs that JMH has no form for: paired comparisons with a control, and the bars that the build
 * holds. The benchmarks themselves stand in the package of what they measure, since they measure
 * what is not public.
 */
@NullMarked
package io.waymark.bench;

import org.jspecify.annotations.NullMarked;
