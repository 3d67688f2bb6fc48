package dev.halfcell.cli;

import dev.halfcell.rest.LocalWorker;
import dev.halfcell.rest.LocalWorkerSettings;

/** The server without HTTP of this machine. */
record LocalJobTrainer(LocalWorker worker) implements JobTrainer {
  /** Starts it as the command line says. */
  static JobTrainer start(WorkerOptions options) {
    return new LocalJobTrainer(
        LocalWorker.start(
            new LocalWorkerSettings(
                options.data(),
                options.workers(),
                options.settings(),
                options.artifacts(),
                options.store())));
  }

  @Override
  public String name() {
    return worker.name();
  }

  @Override
  public int slots() {
    return worker.slots();
  }

  @Override
  public void close() {
    worker.close();
  }
}
