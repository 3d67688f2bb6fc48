package dev.halfcell.rest.worker;

import dev.halfcell.rest.worker.FromWorker.Predicted;
import dev.halfcell.rest.worker.ToWorker.Predict;
import dev.halfcell.tensor.Shape;
import dev.halfcell.zoo.data.SampleImages;
import dev.halfcell.zoo.job.JobSpecification;
import dev.halfcell.zoo.run.RunFolder;
import dev.halfcell.zoo.run.RunModel;
import dev.halfcell.zoo.run.SavedValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A prediction, as {@code halfcell predict} makes it. */
final class WorkerPrediction {
  private static final String WHERE = "inputs";

  private WorkerPrediction() {}

  /** What the model makes of the samples, or why it cannot be run. */
  static FromWorker of(Predict asked) {
    Path folder = Path.of(asked.run());
    try (RunModel model = open(new RunFolder(folder), asked)) {
      return new Predicted(
          model.predict(images(asked), asked.top()), model.level(), model.half(), model.device());
    } catch (RuntimeException | Error thrown) {
      JobLog.error("the model cannot be run", thrown);
      return new Failures(folder, Optional.empty()).of(thrown, false, 0);
    }
  }

  private static RunModel open(RunFolder run, Predict asked) {
    JobSpecification specification =
        asked.specification().map(JobSpecification::ofJson).orElseGet(run::specification);
    return RunModel.open(run, specification, new SavedValues.Finished(), false);
  }

  private static SampleImages images(Predict asked) {
    List<Float> said = asked.numbers();
    float[] numbers = new float[said.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = said.get(i);
    }
    return SampleImages.of(WHERE, new Shape(asked.sizes()), numbers, asked.pixels());
  }
}
