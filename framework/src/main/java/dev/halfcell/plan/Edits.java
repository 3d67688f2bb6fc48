package dev.halfcell.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one rewrite puts in the place of single tasks. Collected, then applied at once. */
final class Edits {
  private final Map<Task, List<Task>> edits = new HashMap<>();

  /** Leaves a task out. */
  void drop(Task task) {
    edits.put(task, List.of());
  }

  /** Puts another task in the place of one. */
  void replace(Task task, Task by) {
    edits.put(task, List.of(by));
  }

  /** Whether something is to happen to one of these tasks already. */
  boolean touches(Task... tasks) {
    return Set.of(tasks).stream().anyMatch(edits::containsKey);
  }

  /** The program with all of it done. */
  Program of(Program program) {
    return edits.isEmpty()
        ? program
        : program.with(
            program.tasks().stream()
                .flatMap(task -> edits.getOrDefault(task, List.of(task)).stream())
                .toList());
  }
}
