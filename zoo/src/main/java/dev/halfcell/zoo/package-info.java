/** Networks, data sets and recipes. */
@NullMarked
package dev.halfcell.zoo;

import org.jspecify.annotations.NullMarked;
