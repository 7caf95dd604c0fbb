/** To be told. */
@NullMarked
package io.waymark.testing;

import org.jspecify.annotations.NullMarked;
