/**
 * Bad input through the Java API, row by row of the table that the project is held to, on both
 * backends where it makes a difference.
 */
@NullMarked
package dev.halfcell.reliability;

import org.jspecify.annotations.NullMarked;
