/** Tests of the disk of this machine. */
@NullMarked
package dev.halfcell.disk;

import org.jspecify.annotations.NullMarked;
