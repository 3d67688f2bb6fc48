/** Tests. */
@NullMarked
package dev.halfcell.cli.run;

import org.jspecify.annotations.NullMarked;
