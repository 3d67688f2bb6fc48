package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.data.Batch;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.Recording;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.optim.Adam;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Inference;
import dev.halfcell.train.PrecisionRules;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.Weights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every network of classes holds: it builds, has the outputs and as many parameters as its
 * source says, learns one batch by heart, steps at every level, has the same bits after its values
 * were saved and loaded, and compiles to the same plan again.
 */
public abstract class NetworkContract {
  private static final int BATCH = 4;
  private static final int SMALL_IMAGE = 64;
  private static final int MOST_STEPS = 80;
  private static final int STEPS_PER_LEVEL = 4;
  private static final double LEARNED = 0.25; // of the loss at the start
  private static final double RATE = 2e-3;

  @TempDir private Path folder;

  /**
   * A network, with samples that are as small as it takes.
   *
   * @param name what it is called
   * @param make makes it
   * @param parameters how many its source says that it has
   * @param sample one sample, without the batch axis
   */
  public record Subject(String name, Supplier<Cell> make, long parameters, TensorSpec sample) {
    /** The same on images of 64 x 64, which do for networks that end in a global pooling. */
    public Subject onSmallImages() {
      return sample.rank() == 3 && sample.dim(1) > SMALL_IMAGE
          ? new Subject(
              name, make, parameters, sample.as(Shape.of(sample.dim(0), SMALL_IMAGE, SMALL_IMAGE)))
          : this;
    }
  }

  /** The networks that are held to the contract. */
  protected abstract List<Subject> subjects();

  /** Opens the backend that they run on. */
  protected abstract Backend open();

  @TestFactory
  final Stream<DynamicNode> everyNetworkHoldsItsContract() {
    return subjects().stream()
        .map(
            each ->
                dynamicContainer(
                    each.name(),
                    Stream.of(
                        dynamicTest("output shapes", () -> outputShapes(each)),
                        dynamicTest("parameters", () -> parameters(each)),
                        dynamicTest("learns one batch by heart", () -> learns(each)),
                        dynamicTest("every level steps", () -> everyLevelSteps(each)),
                        dynamicTest("saved and loaded", () -> savedAndLoaded(each)),
                        dynamicTest("the same plan again", () -> samePlan(each)))));
  }

  private static void outputShapes(Subject each) {
    int classes = output(each, BATCH, true).dim(1);
    assertTrue(classes > 1, classes + " classes");
    for (boolean training : List.of(true, false)) {
      for (int rows : new int[] {1, BATCH}) {
        TensorSpec expected = TensorSpec.of(DType.FP32, rows, classes);
        assertEquals(expected, output(each, rows, training));
      }
    }
  }

  private static TensorSpec output(Subject each, int rows, boolean training) {
    Cell net = each.make().get();
    try (TrainState state = TrainState.of(net, 1)) {
      TracingExecutor tracing = new TracingExecutor(state);
      Tensor x = tracing.input(each.sample().as(each.sample().shape().behind(rows)));
      Tensor samples = tracing.input(TensorSpec.of(DType.INT64, rows));
      return new Recording(tracing, tracing, net, samples, training).call(net, x).spec();
    }
  }

  private static void parameters(Subject each) {
    long count =
        each.make().get().paths().keySet().stream()
            .flatMap(cell -> cell.parameters().stream())
            .filter(Parameter::trainable)
            .mapToLong(parameter -> parameter.spec().size())
            .sum();
    assertEquals(each.parameters(), count);
  }

  private void learns(Subject each) {
    try (TensorScope scope = TensorScope.open();
        Backend backend = open();
        TrainStepCell train = train(each, backend, Level.O0, DType.FP16)) {
      Batch batch = batch(each, scope);
      double start = train.run(batch).loss();
      double loss = start;
      for (int step = 0; step < MOST_STEPS && loss > LEARNED * start; step++) {
        loss = train.run(batch).loss();
      }
      assertTrue(loss <= LEARNED * start, "loss at the start " + start + ", at the end " + loss);
    }
  }

  private void everyLevelSteps(Subject each) {
    try (TensorScope scope = TensorScope.open();
        Backend backend = open()) {
      for (Level level : Level.values()) {
        for (DType half : List.of(DType.FP16, DType.BF16)) {
          try (TrainStepCell train = train(each, backend, level, half)) {
            steps(train, batch(each, scope), level + " in " + half);
          }
        }
      }
    }
  }

  /** The first steps may overflow, for the loss scale starts high. */
  private static void steps(TrainStepCell train, Batch batch, String what) {
    boolean applied = false;
    for (int step = 0; step < STEPS_PER_LEVEL && !applied; step++) {
      StepResult result = train.run(batch);
      assertTrue(Double.isFinite(result.loss()), what + ": " + result);
      applied = result.applied();
    }
    assertTrue(applied, what + ": no step was applied");
  }

  private void savedAndLoaded(Subject each) throws IOException {
    Path file = Files.createTempFile(folder, "weights", ".safetensors");
    try (TensorScope scope = TensorScope.open();
        Backend backend = open();
        TrainStepCell train = train(each, backend, Level.O0, DType.FP16);
        TrainState other = TrainState.of(each.make().get(), 77)) {
      Batch batch = batch(each, scope);
      train.run(batch);
      Weights.write(train.state(), file);
      Weights.read(other, file);
      for (Variable variable : other.values().keySet()) {
        assertTrue(train.state().read(variable).sameBits(other.read(variable)), variable + "");
      }
      Tensor x = batch.inputs().getFirst();
      try (Inference before = train.inference();
          Inference after =
              new Inference(each.make().get(), PrecisionRules.none(), other, backend)) {
        assertTrue(before.run(x).sameBits(after.run(x)), "other outputs after loading");
      }
    }
  }

  private void samePlan(Subject each) {
    try (TensorScope scope = TensorScope.open();
        Backend backend = open()) {
      List<TensorSpec> signature = batch(each, scope).signature();
      assertEquals(report(each, backend, signature), report(each, backend, signature));
    }
  }

  private static PlanReport report(Subject each, Backend backend, List<TensorSpec> signature) {
    try (TrainStepCell train = train(each, backend, Level.O2, DType.BF16)) {
      return train.loop().report(signature);
    }
  }

  private static TrainStepCell train(Subject each, Backend backend, Level level, DType half) {
    AmpOptions options = AmpOptions.defaults().half(half).backend(backend);
    return Amp.buildTrainNetwork(
        each.make().get(), new SoftmaxCrossEntropyLoss(), new Adam(RATE), level, options);
  }

  /** A few samples of a network, always the same. */
  static Batch batch(Subject each, TensorScope scope) {
    Generator generator = new Generator(Generator.seed());
    Shape rows = Shape.of(BATCH);
    int classes = output(each, BATCH, true).dim(1);
    Fill fill = each.sample().dtype().floating() ? Fill.normals() : Fill.labels(classes);
    Argument x = Argument.fixed(each.sample().dtype(), each.sample().shape().behind(BATCH), fill);
    Argument labels = Argument.fixed(DType.INT64, rows, Fill.labels(classes));
    Argument numbers = Argument.fixed(DType.INT64, rows, Fill.labels(1000));
    return new Batch(
        List.of(
            x.tensor(scope, DType.FP32, generator), labels.tensor(scope, DType.FP32, generator)),
        numbers.tensor(scope, DType.FP32, generator));
  }
}
