/** To be told. */
@NullMarked
package io.waymark.testing.postgres;

import org.jspecify.annotations.NullMarked;
