/** The reference backend held to numbers worked out by hand. */
@NullMarked
package dev.halfcell.backend;

import org.jspecify.annotations.NullMarked;
