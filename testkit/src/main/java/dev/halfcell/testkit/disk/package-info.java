/** A disk in memory that fails at any operation one likes, and what it holds afterwards. */
@NullMarked
package dev.halfcell.testkit.disk;

import org.jspecify.annotations.NullMarked;
