@NullMarked
package io.waymark.cli.simulation;

import org.jspecify.annotations.NullMarked;
