package dev.halfcell.cpu.kernel;

import java.util.function.IntConsumer;

/**
 * Work in parts that may run at the same time, each on one thread. A stage begins when all parts of
 * the one before have ended. How many parts there are does not depend on who runs them, so that
 * results do not either.
 *
 * @param parts how many
 * @param body does one part, by its number from 0
 */
public record Stage(int parts, IntConsumer body) {}
