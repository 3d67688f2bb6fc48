/** Tests. */
@NullMarked
package dev.halfcell.zoo.run;

import org.jspecify.annotations.NullMarked;
