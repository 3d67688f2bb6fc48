package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.zoo.data.SampleImages;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the network of a run makes of images: of one that takes them enlarged, two at a time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RunModelTest {
  private static final int SIDE = 28;
  private static final int PIXELS = SIDE * SIDE;

  /** So many of 560 x 560 have more numbers than a tensor may have, of 28 x 28 a few. */
  private static final int MANY = 7000;

  private static final String JOB =
      """
      {"network": [{"cell": "GlobalAvgPool2d"},
                   {"cell": "Dense", "inChannels": 1, "outChannels": 10}],
       "dataset": {"config": {"shape": [1, 560, 560]}},
       "device": "reference", "resources": {"loaderWorkers": 0},
       "precision": {"level": "O0"}, "training": {"steps": 1, "batchSize": 2}}
      """;

  private RunFolder run = new RunFolder(Path.of(""));

  @BeforeAll
  void train(@TempDir Path folder) throws IOException {
    var _ = DiskRuns.in(folder);
    run = RunFolder.at(folder.resolve("run"));
    try (TrainingRun training =
        TrainingRun.open(JobSpecification.ofJson(JOB), Optional.of(folder.toString()))) {
      assertInstanceOf(Ending.Completed.class, training.train(run, _ -> {}, () -> false));
    }
  }

  private RunModel open() {
    return RunModel.open(run, new SavedValues.Finished(), false);
  }

  /** The images from one on, each of another grey than its neighbours. */
  private static float[] numbers(int first, int count) {
    float[] numbers = new float[count * PIXELS];
    for (int i = 0; i < numbers.length; i++) {
      int grey = (first + i / PIXELS) % 7;
      numbers[i] = grey;
    }
    return numbers;
  }

  private static SampleImages images(float[] numbers) {
    Shape sizes = Shape.of(numbers.length / PIXELS, 1, SIDE, SIDE);
    return SampleImages.of("test", sizes, numbers, false);
  }

  private static List<List<Double>> logits(List<Prediction> predictions) {
    return predictions.stream().map(Prediction::logits).toList();
  }

  @Test
  void imagesThatWouldNotFitTogetherArePredicted() {
    SampleImages images = images(numbers(0, MANY));
    List<Integer> told = new ArrayList<>();
    Consumer<Prediction> three =
        found -> {
          told.add(found.sample());
          if (told.size() == 3) {
            throw new IllegalStateException("enough");
          }
        };
    try (RunModel model = open()) {
      assertThrows(IllegalStateException.class, () -> model.predict(images, 1, three));
    }
    assertEquals(List.of(0, 1, 2), told);
  }

  @Test
  void predictionsAreThoseOfEachBatchInTheirOrder() {
    try (RunModel model = open()) {
      List<Prediction> all = model.predict(images(numbers(0, 5)), 10);
      assertEquals(List.of(0, 1, 2, 3, 4), all.stream().map(Prediction::sample).toList());
      assertNotEquals(all.get(0).logits(), all.get(1).logits());
      List<List<Double>> parts = new ArrayList<>();
      parts.addAll(logits(model.predict(images(numbers(0, 2)), 10)));
      parts.addAll(logits(model.predict(images(numbers(2, 2)), 10)));
      parts.addAll(logits(model.predict(images(numbers(4, 1)), 10)));
      assertEquals(parts, logits(all));
    }
  }

  @Test
  void aNumberThatIsNotFiniteIsRefusedBeforeAnythingIsTold() {
    float[] numbers = numbers(0, 5);
    numbers[numbers.length - 1] = Float.NaN;
    SampleImages images = images(numbers);
    List<Prediction> told = new ArrayList<>();
    try (RunModel model = open()) {
      DataException refused =
          assertThrows(DataException.class, () -> model.predict(images, 1, told::add));
      assertEquals("NaN in image 4", refused.problem().got());
    }
    assertEquals(List.of(), told);
  }
}
