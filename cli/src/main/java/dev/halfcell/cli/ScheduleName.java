package dev.halfcell.cli;

import dev.halfcell.op.update.Schedule;

/** The schedules that {@code --schedule} knows; the constants are spelled as users write them. */
enum ScheduleName {
  constant,
  cosine,
  linear;

  /** The schedule over a run of {@code steps} steps. */
  Schedule over(int steps, double learningRate) {
    return switch (this) {
      case constant -> new Schedule.Constant(learningRate);
      case cosine -> new Schedule.Cosine(learningRate, steps, 0);
      case linear -> new Schedule.Polynomial(learningRate, steps, 0, 1);
    };
  }
}
