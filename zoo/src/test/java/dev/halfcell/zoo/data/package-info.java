/** Tests of the data sets' readers. */
@NullMarked
package dev.halfcell.zoo.data;

import org.jspecify.annotations.NullMarked;
