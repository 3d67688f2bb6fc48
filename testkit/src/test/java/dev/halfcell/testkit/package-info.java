/** The contracts run on the reference backend. */
@NullMarked
package dev.halfcell.testkit;

import org.jspecify.annotations.NullMarked;
