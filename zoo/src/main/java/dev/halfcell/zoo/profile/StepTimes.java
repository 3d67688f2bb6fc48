package dev.halfcell.zoo.profile;

import java.util.List;

/**
 * Where the time of one step went.
 *
 * @param number steps taken since training began, this one included
 * @param begin when its data was asked for, by {@link System#nanoTime}, or shortly before
 * @param nanos from then to its result
 * @param dataNanos of these, what was waited for data that was not yet read
 * @param tasks of all plans that it ran, in their order
 */
record StepTimes(long number, long begin, long nanos, long dataNanos, List<TaskTime> tasks) {
  StepTimes {
    tasks = List.copyOf(tasks);
  }
}
