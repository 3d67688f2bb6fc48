/**
 * What the job service holds out: the real server in a process of its own, real workers, and more
 * clients than are good for it. Each program prints a line for each goal.
 */
@NullMarked
package dev.halfcell.load;

import org.jspecify.annotations.NullMarked;
