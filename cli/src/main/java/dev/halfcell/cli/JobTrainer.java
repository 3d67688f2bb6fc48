package dev.halfcell.cli;

/** Trains jobs of a queue in this process' workers; nobody can ask it anything. */
interface JobTrainer extends AutoCloseable {
  /** What starts one; it takes jobs when this returns. */
  @FunctionalInterface
  interface Starter {
    JobTrainer start(WorkerOptions options);
  }

  /** By which attempts of jobs say who made them. */
  String name();

  /** How many jobs train at once. */
  int slots();

  /** Takes no more jobs, has those that run save their state, gives them back, and ends. */
  @Override
  void close();
}
