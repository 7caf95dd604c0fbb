/** To be told. */
@NullMarked
package io.waymark.postgres;

import org.jspecify.annotations.NullMarked;
