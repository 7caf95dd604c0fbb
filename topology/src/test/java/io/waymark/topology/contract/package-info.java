/**
 * What every store of published groups keeps to, as tests that a store's module runs against the
 * real thing. Not published.
 */
@NullMarked
package io.waymark.topology.contract;

import org.jspecify.annotations.NullMarked;
