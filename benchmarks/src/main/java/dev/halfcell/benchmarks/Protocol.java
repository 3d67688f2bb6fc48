package dev.halfcell.benchmarks;

/**
 * How a comparison is made.
 *
 * @param rounds how often all contenders are measured, one after the other
 * @param warmup steps of a process before the timed ones
 * @param steps timed steps of a process
 */
record Protocol(int rounds, int warmup, int steps) {}
