/**
 * What a backend that compiles makes of a recorded step before it touches memory: a program of
 * tasks, rewritten until few are left, and a place in one arena for each of its values. Pure
 * functions over immutable records.
 */
@NullMarked
package dev.halfcell.plan;

import org.jspecify.annotations.NullMarked;
