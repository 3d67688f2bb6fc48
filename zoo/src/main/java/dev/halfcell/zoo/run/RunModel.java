package dev.halfcell.zoo.run;

import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.backend.Backend;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.Checkpoint;
import dev.halfcell.train.Inference;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.Weights;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.SampleImages;
import dev.halfcell.zoo.data.SyntheticData;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The network of a run with the values that it has left, to measure and to predict with at the
 * run's level. One thread.
 */
public final class RunModel implements AutoCloseable {
  private final RunPlace place;
  private final Backend backend;
  private final TrainingJob job;
  private final TrainStepCell train;
  private final Path values;
  private final Inference inference;

  /**
   * Opens what {@code halfcell train} has written.
   *
   * @param averaged whether by the moving averages of the parameters, which checkpoints hold
   * @throws ArgumentException where the folder is no run's, or has no such values
   * @throws DataException where the values cannot be read or are of another network
   */
  public static RunModel open(RunFolder folder, SavedValues saved, boolean averaged) {
    RunPlace place = folder.place();
    return open(folder, place, folder.specification(), saved, averaged);
  }

  /** The same, computed as another specification of the same network says: at another precision. */
  public static RunModel open(
      RunFolder folder, JobSpecification specification, SavedValues saved, boolean averaged) {
    return open(folder, folder.place(), specification, saved, averaged);
  }

  private static RunModel open(
      RunFolder folder,
      RunPlace place,
      JobSpecification specification,
      SavedValues saved,
      boolean averaged) {
    Backend backend = TrainingJob.openLike(specification);
    try {
      TrainingJob job = TrainingJob.of(specification, backend, place.samples());
      return new RunModel(folder, place, backend, job, saved, averaged);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }

  private RunModel(
      RunFolder folder,
      RunPlace place,
      Backend backend,
      TrainingJob job,
      SavedValues saved,
      boolean averaged) {
    requireAverages(job, averaged);
    this.place = place;
    this.backend = backend;
    this.job = job;
    this.train = job.trainCell();
    try {
      this.values = read(folder, train.state(), saved, averaged);
      this.inference = averaged ? train.averagedInference() : train.inference();
    } catch (RuntimeException | Error e) {
      train.close();
      throw e;
    }
  }

  private static void requireAverages(TrainingJob job, boolean averaged) {
    if (averaged && job.options().step().rules().ema().isEmpty()) {
      throw new ArgumentException(
          new Problem(
              "--average",
              "/training/ema",
              "a run that keeps moving averages",
              "one that keeps none",
              "Leave it out, or train with --ema 0.999."));
    }
  }

  /** Averages, and which cells were demoted, are in checkpoints alone. */
  private Path read(RunFolder folder, TrainState state, SavedValues saved, boolean averaged) {
    Path file =
        switch (saved) {
          case SavedValues.Finished() -> finished(folder);
          case SavedValues.Newest() -> newest(folder);
          case SavedValues.Of(Path named) -> named;
        };
    if (averaged || job.options().run().diagnosis().demotion().isPresent()) {
      Path whole = saved instanceof SavedValues.Finished ? newest(folder) : file;
      var _ = EpochWatch.of(folder.specification().resolved(), state, folder);
      Checkpoint.read(state, whole);
      return whole;
    }
    Weights.read(state, file);
    return file;
  }

  private static Path newest(RunFolder folder) {
    return folder
        .newestCheckpoint()
        .orElseThrow(() -> missing(folder, "a checkpoint", "Train it for longer."));
  }

  private static Path finished(RunFolder folder) {
    if (!Files.exists(folder.model())) {
      throw missing(
          folder,
          "model.safetensors of a run that is finished",
          "Name a checkpoint with --checkpoint (last: the newest), or finish the run with train"
              + " --resume.");
    }
    return folder.model();
  }

  private static ArgumentException missing(RunFolder folder, String expected, String fix) {
    return new ArgumentException(
        new Problem("RUN", folder.path().toString(), expected, "none", fix));
  }

  /** What the run found where it was started. */
  public RunPlace place() {
    return place;
  }

  /** The network and its data. */
  public NetworkDefinition network() {
    return job.network();
  }

  /** The level and the 16-bit dtype. */
  public String precision() {
    return level() + " (half: " + half() + ")";
  }

  /** The precision level. */
  public String level() {
    return job.level().label();
  }

  /** The 16-bit dtype. */
  public String half() {
    return job.options().precision().half().label();
  }

  /** What computes. */
  public String device() {
    return backend.name();
  }

  /** The file that the values were read from. */
  public Path values() {
    return values;
  }

  /** Samples that the run computes at a time. */
  public int batchSize() {
    return job.length().batchSize();
  }

  /**
   * The data of the run.
   *
   * @param choice where it is, if not where {@link RunPlace#choice} of {@link #place} says
   * @throws ArgumentException where it has no test samples
   */
  public DataSplit openData(Optional<String> choice) {
    requireLearned(network(), network().name());
    return job.network().openData(choice.or(place::choice)).testing(job.testing());
  }

  /**
   * Measures it on the test samples. With the run's own batch size and values the numbers are those
   * of its summary, bit for bit on the same machine.
   */
  public TestScores evaluate(DataSplit data, OptionalInt batchSize) {
    return TestScores.of(inference, data.test(), batchSize.orElse(batchSize()));
  }

  /**
   * Tells what it makes of the samples in a file, one after another. They are brought into the
   * network's form a batch at a time, for all of a large file do not fit in the memory.
   *
   * @param most how many of the likeliest classes are told
   * @throws DataException where the file has no samples for it, before any is told of
   * @throws NonFiniteException where an output is not finite, when those before it have been told
   */
  public void predict(Path file, int most, Consumer<Prediction> told) {
    predict(network().data().files().read(file, network().sample()), most, told);
  }

  /** The same of samples from elsewhere, all together. */
  public List<Prediction> predict(SampleImages images, int most) {
    List<Prediction> predictions = new ArrayList<>();
    predict(images, most, predictions::add);
    return predictions;
  }

  /** The same of samples from elsewhere. */
  public void predict(SampleImages images, int most, Consumer<Prediction> told) {
    requireLearned(network(), images.where());
    images.requireFor(network().sample());
    for (int first = 0; first < images.count(); first += batchSize()) {
      predictBatch(images, first, most, told);
    }
  }

  private void predictBatch(SampleImages images, int first, int most, Consumer<Prediction> told) {
    int rows = Math.min(batchSize(), images.count() - first);
    List<String> names = network().data().classNames();
    try (TensorScope scope = TensorScope.open()) {
      Tensor samples = images.as(network().sample(), first, rows, scope);
      for (int row = 0; row < rows; row++) {
        job.testing().apply(List.of(samples), row, first + row);
      }
      Tensor output = inference.run(samples);
      for (int row = 0; row < rows; row++) {
        double[] logits = logits(output, row, images.where(), first);
        told.accept(Prediction.of(first + row, logits, names, most));
      }
    }
  }

  /**
   * Throws where a network was trained on nothing that it could have learned from.
   *
   * @param where what asks for more, for messages
   */
  public static void requireLearned(NetworkDefinition network, String where) {
    if (network.data().size().test() == 0) {
      throw SyntheticData.nothingLearned(where);
    }
  }

  private static double[] logits(Tensor output, int row, String where, int first) {
    int classes = output.spec().dim(1);
    double[] logits = new double[classes];
    for (int c = 0; c < classes; c++) {
      logits[c] = output.at((long) row * classes + c);
      if (!Double.isFinite(logits[c])) {
        throw new NonFiniteException(
            new Problem(
                "predict",
                where,
                "finite outputs",
                logits[c] + " for image " + (first + row),
                "Take the run's values of an earlier --checkpoint, or a network at O0."));
      }
    }
    return logits;
  }

  @Override
  public void close() {
    inference.close();
    train.close();
    backend.close();
  }
}
