/** What stores in other modules share with those here. Not API: it changes without notice. */
@NullMarked
package io.waymark.topology.internal;

import org.jspecify.annotations.NullMarked;
