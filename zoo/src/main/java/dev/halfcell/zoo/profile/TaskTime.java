package dev.halfcell.zoo.profile;

import dev.halfcell.backend.PlannedTask;

/**
 * When a task ran.
 *
 * @param begin by {@link System#nanoTime}
 */
record TaskTime(PlannedTask task, long begin, long nanos) {}
