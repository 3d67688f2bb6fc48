package dev.halfcell.zoo.profile;

import dev.halfcell.backend.Plan;
import dev.halfcell.backend.TaskWatch;
import java.util.Arrays;

/** When the tasks of one run of a plan ended, by {@link System#nanoTime}. One thread. */
final class RunTimes implements TaskWatch {
  private final Plan plan;
  private long[] ends = new long[1024];
  private long begin;
  private int ended;

  /** Of a run that has not begun. */
  RunTimes(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void began() {
    begin = System.nanoTime();
  }

  @Override
  public void ended(int task) {
    if (task == ends.length) {
      ends = Arrays.copyOf(ends, 2 * task);
    }
    ends[task] = System.nanoTime();
    ended = task + 1;
  }

  /** The plan that ran. */
  Plan plan() {
    return plan;
  }

  /** How many tasks have ended. */
  int tasks() {
    return ended;
  }

  /** When the first task began. */
  long begin() {
    return begin;
  }

  /** When a task began: where the one before it ended. */
  long begin(int task) {
    return task == 0 ? begin : ends[task - 1];
  }

  /** How long a task took. */
  long nanos(int task) {
    return ends[task] - begin(task);
  }
}
