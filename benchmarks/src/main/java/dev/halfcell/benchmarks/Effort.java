package dev.halfcell.benchmarks;

/**
 * How long a process measures.
 *
 * @param steps how many it takes at most
 * @param seconds after which no step begins, from the fourth on
 */
record Effort(int steps, double seconds) {}
