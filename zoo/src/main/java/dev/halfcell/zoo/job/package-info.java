/**
 * The one description of a run, as Java, files and flags say it. Reading and writing it opens no
 * other file and runs nothing.
 */
@NullMarked
package dev.halfcell.zoo.job;

import org.jspecify.annotations.NullMarked;
