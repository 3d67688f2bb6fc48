/** Mixed precision: levels, precision plans and loss scaling. */
@NullMarked
package dev.halfcell.amp;

import org.jspecify.annotations.NullMarked;
