package dev.halfcell.rest.worker;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/** What a server says to a worker. */
public sealed interface ToWorker extends Message {
  /**
   * What it is to do. It goes on from where an earlier attempt was, if there was one.
   *
   * @param specification the job's, with all defaults filled in, as JSON
   * @param run the folder of its run, which may be missing where nobody trained in it
   * @param data where its data is, as {@link dev.halfcell.zoo.data.DataSetDefinition#open} takes it
   * @param begun whether an earlier attempt trained in that folder, so that it must be there
   * @param origin what its run goes on from where it has no folder yet
   */
  record Begin(
      String specification,
      String run,
      Optional<String> data,
      boolean begun,
      Optional<Source> origin)
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

  /**
   * It is to run a model that was trained, and end.
   *
   * @param run the folder of its run
   * @param specification how it is computed where not as it was trained, with all defaults filled
   *     in, as JSON
   * @param sizes of the samples, [N, C, H, W]
   * @param numbers of all samples, the last axis fastest
   * @param pixels whether they are whole numbers from 0 to 255, to be scaled as those of the data
   *     set are
   * @param top how many of the likeliest classes are told
   */
  record Predict(
      String run,
      Optional<String> specification,
      List<Integer> sizes,
      List<Float> numbers,
      boolean pixels,
      int top)
      implements ToWorker {
    public Predict {
      requireNonNull(run);
      sizes = List.copyOf(sizes);
      numbers = List.copyOf(numbers);
    }
  }

  /** It is to save its state after the step at hand and end. */
  record Stop() implements ToWorker {}
}
