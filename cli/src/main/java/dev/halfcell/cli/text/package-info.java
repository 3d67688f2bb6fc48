/** How numbers and tables are printed. */
@NullMarked
package dev.halfcell.cli.text;

import org.jspecify.annotations.NullMarked;
