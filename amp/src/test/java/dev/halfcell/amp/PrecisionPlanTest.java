package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Decision;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.Policy;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.NormalizationCell;
import dev.halfcell.nn.PrecisionFlag;
import dev.halfcell.nn.Recording;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.Softmax;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.precision.Unscale;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrecisionPlanTest {
  private static final AmpOptions OPTIONS =
      AmpOptions.defaults().backend(new ReferenceBackend()).seed(7);

  @Test
  void explainSaysForEachCellHowAndWhy() {
    assertEquals(
        """
        cell     class                     params  compute  output   reason
        /        Sequential                -       fp16     fp32     level O2
        /0       Conv2d                    fp32    fp16     fp16     level O2
        /1       BatchNorm2d               fp32    fp32     fp16     BatchNorm2d needs fp32
        /2       ReLU                      -       fp16     fp16     level O2
        /3       MaxPool2d                 -       fp16     fp16     level O2
        /4       Flatten                   -       fp16     fp16     level O2
        /5       Dropout                   -       fp16     fp16     level O2
        /6       Residual                  -       fp16     fp16     level O2
        /6/body  Dense                     fp32    fp16     fp16     level O2
        /7       Dense                     fp32    fp16     fp16     level O2
        9 of 10 cells compute in half
        """,
        Amp.plan(Points.network(), Level.O2, OPTIONS).explain());
  }

  @Test
  void flagsHoldInEitherOrderAndToFloatOverwritesThem() {
    Cell early = new Classifier(new Dense(84, 10).addFlagsRecursive(PrecisionFlag.FP32));
    early.addFlagsRecursive(PrecisionFlag.FP16);
    Classifier late = new Classifier(new Dense(84, 10));
    late.addFlagsRecursive(PrecisionFlag.FP16);
    late.fc3.addFlagsRecursive(PrecisionFlag.FP32);
    PrecisionPlan plan = Amp.plan(early, Level.O0, OPTIONS);
    assertEquals(plan, Amp.plan(late, Level.O0, OPTIONS));
    plan.cells()
        .forEach(
            (path, decision) ->
                assertEquals(
                    path.text().equals("/fc3") ? Treatment.FULL : Treatment.HALF,
                    decision.treatment()));
    late.toFloat(DType.BF16);
    Decision forced =
        Objects.requireNonNull(Amp.plan(late, Level.O0, OPTIONS).cells().get(new CellPath("/fc3")));
    assertEquals(Treatment.HALF, forced.treatment());
    assertEquals(DType.BF16, forced.half());
    assertEquals(new Reason.Requested(DType.BF16), forced.because());
    assertThrows(ArgumentException.class, () -> late.toFloat(DType.FP64));
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void whatEachOpIsGiven(Level level) {
    List<Graph.Node> nodes = trace(level, OPTIONS);
    DType dense = level == Level.O0 ? DType.FP32 : DType.FP16;
    DType norm = level == Level.O3 ? DType.FP16 : DType.FP32;
    DType between =
        switch (level) {
          case O0, O1, AUTO -> DType.FP32;
          case O2, O3 -> DType.FP16;
        };
    assertEquals(List.of(dense, dense, dense), inputs(level, OPTIONS, "/0", "Conv2d"));
    assertEquals(List.of(norm, DType.FP32, DType.FP32), inputs(level, OPTIONS, "/1", "BatchNorm"));
    assertEquals(List.of(between), inputs(level, OPTIONS, "/2", "Relu"));
    assertEquals(List.of(dense, dense, dense), inputs(level, OPTIONS, "/7", "Dense"));
    assertEquals(
        List.of(DType.FP32, DType.INT64),
        inputs(level, OPTIONS, "/loss_fn", "SoftmaxCrossEntropy"));
    assertTrue(nodes.stream().anyMatch(n -> n.op() instanceof SoftmaxCrossEntropy));
    assertTrue(nodes.stream().anyMatch(n -> n.op() instanceof BatchNorm));
    assertTrue(nodes.stream().anyMatch(n -> n.op() instanceof Relu));
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void gradientsOfParametersLeaveTheirKernelsInFp32(Level level) {
    Graph graph = graph(level, OPTIONS);
    List<Graph.Node> unscales =
        graph.nodes().stream().filter(n -> n.op() instanceof Unscale).toList();
    assertEquals(8, unscales.size(), "a gradient for each parameter");
    for (Graph.Node unscale : unscales) {
      int slot = unscale.in().getFirst();
      assertEquals(DType.FP32, graph.slots().get(slot).dtype());
      Graph.Node producer =
          graph.nodes().stream().filter(n -> n.out().contains(slot)).findFirst().orElseThrow();
      assertTrue(
          !producer.op().label().equals("Cast"),
          "rounded to half before it was widened: " + producer);
    }
  }

  @Test
  void theResidualStreamStaysHalfAtO2() {
    Graph graph = graph(Level.O2, OPTIONS);
    Graph.Node add =
        graph.nodes().stream()
            .filter(n -> n.op() instanceof Add && n.at().equals(new CellPath("/6")))
            .findFirst()
            .orElseThrow();
    assertEquals(DType.FP16, graph.slots().get(add.out().getFirst()).dtype());
  }

  /** An op of class DENY in a cell of no class: FP32 in and out at O2, half at O3. */
  @ParameterizedTest
  @EnumSource(Level.class)
  void aSingleOpThatDeniesHalfIsFp32UpToO2(Level level) {
    Cell net = new Sequential(new Dense(4, 4), new RowSum());
    PrecisionPlan plan = Amp.plan(net, level, OPTIONS);
    List<DType> seen = new ArrayList<>();
    Executor spy =
        (op, in, at) -> {
          if (op instanceof Sum) {
            seen.add(in.getFirst().dtype());
          }
          return op.infer(Tensor.specs(in), at).stream().map(Tensor::symbol).toList();
        };
    try (TrainState state = TrainState.of(net, 1)) {
      Tensor samples = Tensor.symbol(TensorSpec.of(DType.INT64, 2));
      new Recording(plan.over(spy), state, net, samples, true)
          .call(net, Tensor.symbol(TensorSpec.of(DType.FP32, 2, 4)));
    }
    assertEquals(List.of(level == Level.O3 ? DType.FP16 : DType.FP32), seen);
  }

  @Test
  void keepBatchNormFp32CanBeSetEitherWay() {
    AmpOptions half = OPTIONS.keepBatchNormFp32(false);
    AmpOptions full = OPTIONS.keepBatchNormFp32(true);
    assertEquals(DType.FP16, inputs(Level.O2, half, "/1", "BatchNorm").getFirst());
    assertEquals(DType.FP32, inputs(Level.O3, full, "/1", "BatchNorm").getFirst());
    assertEquals(DType.FP16, inputs(Level.O3, full, "/2", "Relu").getFirst());
  }

  @Test
  void aPolicyIsALevelWithItsHalf() {
    try (TrainStepCell train =
        Amp.buildTrainNetwork(
            Points.network(),
            new SoftmaxCrossEntropyLoss(),
            new Momentum(0.1, 0.9),
            Policy.of("mixed_bfloat16"),
            OPTIONS)) {
      Cell net = new WithLossCell(Points.network(), new SoftmaxCrossEntropyLoss());
      assertEquals(
          Amp.plan(net, Level.O2, OPTIONS.half(DType.BF16)).explain(), train.plan().explain());
    }
    Cell alone = Amp.autoMixedPrecision(Points.network(), Policy.mixedFloat16());
    assertEquals(
        Amp.plan(Points.network(), Level.O2, OPTIONS).explain(),
        Amp.plan(alone, Level.O0, OPTIONS).explain());
  }

  @Test
  void bfloat16NeedsNoLossScaleAndIsUsedThroughout() {
    AmpOptions options = OPTIONS.half(DType.BF16);
    assertEquals(DType.BF16, inputs(Level.O2, options, "/7", "Dense").getFirst());
    try (TrainStepCell train =
        Amp.buildTrainNetwork(
            Points.network(),
            new SoftmaxCrossEntropyLoss(),
            new Momentum(0.1, 0.9),
            Level.O2,
            options)) {
      assertTrue(train instanceof TrainOneStepCell);
    }
  }

  /** At every level, with every other level built in between, on the same network. */
  @ParameterizedTest
  @EnumSource(Level.class)
  void buildingChangesNeitherPlansNorValues(Level level) {
    Cell net = Points.network();
    PrecisionPlan first = Amp.plan(net, level, OPTIONS);
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, new Momentum(0.1, 0.9), 7)) {
      Map<Variable, Tensor> before = state.snapshot(scope);
      for (Level between : Level.values()) {
        Amp.buildTrainNetwork(
                net,
                new SoftmaxCrossEntropyLoss(),
                new Momentum(0.1, 0.9),
                between,
                OPTIONS.state(state))
            .close();
        Amp.autoMixedPrecision(net, between);
      }
      Map<Variable, Tensor> after = new HashMap<>(state.snapshot(scope));
      after.keySet().retainAll(before.keySet()); // a train cell declares its scale
      assertTrue(Points.sameBits(before, after));
    }
    assertEquals(first, Amp.plan(net, level, OPTIONS));
  }

  @Test
  void unknownLevelsAreNamed() {
    ArgumentException e = assertThrows(ArgumentException.class, () -> Level.of("O4"));
    assertEquals(
        "[level]: expected O0, O1, O2, O3 or auto, got 'O4'. It is the letter O.", e.getMessage());
    assertEquals(Level.O2, Level.of("o2"));
  }

  private static List<DType> inputs(Level level, AmpOptions options, String path, String op) {
    Graph graph = graph(level, options);
    return graph.nodes().stream()
        .filter(n -> n.at().text().equals(path) && n.op().label().equals(op))
        .findFirst()
        .orElseThrow()
        .in()
        .stream()
        .map(slot -> graph.slots().get(slot).dtype())
        .toList();
  }

  private static List<Graph.Node> trace(Level level, AmpOptions options) {
    return graph(level, options).nodes();
  }

  private static Graph graph(Level level, AmpOptions options) {
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                Points.network(),
                new SoftmaxCrossEntropyLoss(),
                new Momentum(0.1, 0.9),
                level,
                options)) {
      return train.loop().trace(Points.batch(scope, 0, 8).signature());
    }
  }

  private static final class RowSum extends Cell {
    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.ops().sum(f.only(in), false, 1);
    }
  }

  /** Three dense layers, as in MindSpore's guide. */
  private static final class Classifier extends Cell {
    private final Cell fc1 = child("fc1", new Dense(400, 120));
    private final Cell fc2 = child("fc2", new Dense(120, 84));
    private final Cell fc3;

    Classifier(Cell last) {
      fc3 = child("fc3", last);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      List<Cell> cells = Stream.of(fc1, fc2).toList();
      Tensor x = f.only(in);
      for (Cell cell : cells) {
        x = f.ops().relu(f.call(cell, x));
      }
      return f.call(fc3, x);
    }
  }

  /** The option speaks of normalisations: a softmax needs FP32 for another reason. */
  @Test
  void keepBatchNormFp32IsNotAskedOfOtherCells() {
    Cell net = new Sequential(new Dense(4, 4), new Softmax(), new LayerNorm(4));
    AmpOptions half = AmpOptions.defaults().keepBatchNormFp32(false);
    PrecisionPlan plan = Amp.plan(net, Level.O2, half);
    assertEquals(Treatment.FULL_THEN_HALF, plan.treatment(new CellPath("/1")));
    assertEquals(Treatment.HALF_THROUGHOUT, plan.treatment(new CellPath("/2")));
    AmpOptions kept = AmpOptions.defaults().keepBatchNormFp32(true);
    PrecisionPlan o3 = Amp.plan(net, Level.O3, kept);
    assertEquals(Treatment.HALF_THROUGHOUT, o3.treatment(new CellPath("/1")));
    assertEquals(Treatment.FULL_THEN_HALF, o3.treatment(new CellPath("/2")));
  }

  @Test
  void cellsBelowANormalisationThatIsKeptAreFp32WithIt() {
    Cell net = new Sequential(new OwnNormalisation());
    for (Level level : new Level[] {Level.O1, Level.O2, Level.O3}) {
      PrecisionPlan plan = Amp.plan(net, level, AmpOptions.defaults().keepBatchNormFp32(true));
      assertEquals(Treatment.FULL, plan.treatment(new CellPath("/0/inside")), level.name());
    }
  }

  private static final class OwnNormalisation extends Cell implements NormalizationCell {
    private final Cell inside = child("inside", new Dense(4, 4));

    @Override
    public PrecisionClass precision() {
      return PrecisionClass.DENY;
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.call(inside, in);
    }
  }
}
