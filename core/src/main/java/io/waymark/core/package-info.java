/** To be told. */
@NullMarked
package io.waymark.core;

import org.jspecify.annotations.NullMarked;
