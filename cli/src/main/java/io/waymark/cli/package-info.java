/** To be told. */
@NullMarked
package io.waymark.cli;

import org.jspecify.annotations.NullMarked;
