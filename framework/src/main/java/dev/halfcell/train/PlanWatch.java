package dev.halfcell.train;

import dev.halfcell.backend.Plan;
import dev.halfcell.backend.TaskWatch;
import java.util.Optional;

/** Has runs of a loop's plans watched. */
@FunctionalInterface
public interface PlanWatch {
  /**
   * Who is told of the tasks of the run that is about to begin; none where nobody wants to know.
   */
  Optional<TaskWatch> running(Plan plan);
}
