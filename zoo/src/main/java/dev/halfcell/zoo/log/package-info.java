/** Listeners that write what other programs draw: TensorBoard and spreadsheets. */
@NullMarked
package dev.halfcell.zoo.log;

import org.jspecify.annotations.NullMarked;
