/** What survives the failures of a disk. */
@NullMarked
package dev.halfcell.testkit.disk;

import org.jspecify.annotations.NullMarked;
