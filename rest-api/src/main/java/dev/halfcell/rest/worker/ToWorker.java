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
   * What a process of its own is to do, and then end: it trains nothing.
   *
   * @param <R> what it comes to
   */
  sealed interface Task<R extends FromWorker.Result> extends ToWorker {
    /** What was said, where it is what is due of this; none where it is anything else. */
    Optional<R> due(FromWorker said);
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
      implements Task<FromWorker.Predicted> {
    public Predict {
      requireNonNull(run);
      sizes = List.copyOf(sizes);
      numbers = List.copyOf(numbers);
    }

    /** Those of all samples. */
    @Override
    public Optional<FromWorker.Predicted> due(FromWorker said) {
      return said instanceof FromWorker.Predicted all
              && all.predictions().size() == sizes.getFirst()
          ? Optional.of(all)
          : Optional.empty();
    }
  }

  /**
   * It is to run a step of a run again, op by op, and end.
   *
   * @param run the run's folder
   */
  record Diagnose(String run) implements Task<FromWorker.Diagnosed> {
    public Diagnose {
      requireNonNull(run);
    }

    @Override
    public Optional<FromWorker.Diagnosed> due(FromWorker said) {
      return said instanceof FromWorker.Diagnosed diagnosed
          ? Optional.of(diagnosed)
          : Optional.empty();
    }
  }

  /** It is to save its state after the step at hand and end. */
  record Stop() implements ToWorker {}
}
