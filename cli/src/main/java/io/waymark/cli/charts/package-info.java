/** Charts as SVG files without anything from elsewhere: what the charts of all commands share. */
@NullMarked
package io.waymark.cli.charts;

import org.jspecify.annotations.NullMarked;
