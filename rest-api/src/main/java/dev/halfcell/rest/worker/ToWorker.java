package dev.halfcell.rest.worker;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** What a server says to a worker. */
public sealed interface ToWorker extends Message {
  /**
   * What it is to do. It goes on from where an earlier attempt was, if there was one.
   *
   * @param specification the job's, with all defaults filled in, as JSON
   * @param run the folder of its run, which may be missing
   * @param data where its data is, as {@link dev.halfcell.zoo.data.DataSetDefinition#open} takes it
   * @param origin what its run goes on from where it has no folder yet
   */
  record Begin(String specification, String run, Optional<String> data, Optional<Source> origin)
      implements ToWorker {
    public Begin {
      requireNonNull(specification);
      requireNonNull(run);
    }
  }

  /**
   * A checkpoint of another run.
   *
   * @param run that run's folder
   * @param checkpoint the name of its file
   */
  record Source(String run, String checkpoint) {
    public Source {
      requireNonNull(run);
      requireNonNull(checkpoint);
    }
  }

  /** It is to save its state after the step at hand and end. */
  record Stop() implements ToWorker {}
}
