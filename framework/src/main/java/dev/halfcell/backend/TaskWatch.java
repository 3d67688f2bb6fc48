package dev.halfcell.backend;

/**
 * Is told, on the thread that runs a plan, when tasks of its schedule have ended: all of them, in
 * their order, each as soon as the next may begin.
 */
public interface TaskWatch {
  /** The first task is about to begin. */
  void began();

  /** A task has ended, by its place in {@link PlanReport#schedule}. */
  void ended(int task);
}
