/** Tests of the zoo. */
@NullMarked
package dev.halfcell.zoo;

import org.jspecify.annotations.NullMarked;
