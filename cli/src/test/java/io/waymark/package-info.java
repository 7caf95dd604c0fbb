/** Tests of all modules together. */
@NullMarked
package io.waymark;

import org.jspecify.annotations.NullMarked;
