package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a full plan makes of the ops of a fused work, on any GPU: that work and nothing else, with
 * the numbers of its definition, rounded once.
 */
abstract class FusedWorksContract {
  private static final double[] SPECIAL = {0, -0.0, 1, -1, 0x1p-20, -3};
  private static final double EPSILON = 1e-5;

  /** What FP32 arithmetic may be off, of 1 or of the number. */
  private static final double FLOAT_ERROR = 2e-5;

  private final TensorScope scope = TensorScope.guarded();
  private final Random random = new Random(1);
  private GpuBackend gpu;

  /** Opens the GPU that is held to the contract. */
  abstract GpuBackend openBackend();

  @BeforeEach
  final void open() {
    gpu = openBackend();
  }

  @AfterEach
  final void close() {
    gpu.close();
    scope.close();
  }

  /** A work on tensors of a dtype and a shape. */
  record Trial(Work work, DType dtype, Shape shape) {
    /** Whether roundings are left out between its ops. */
    boolean roundsLess() {
      return work instanceof Work.BatchNormRelu(BatchNorm _, boolean adds) && adds;
    }
  }

  private static List<Work> works() {
    BatchNorm norm = new BatchNorm(EPSILON);
    return List.of(
        new Work.AddRelu(),
        new Work.AddReluGradient(),
        new Work.BatchNormRelu(norm, false),
        new Work.BatchNormRelu(norm, true),
        new Work.BatchNormRelu(norm.stableStatistics(), false),
        new Work.BatchNormRelu(norm.stableStatistics(), true),
        new Work.BatchNormReluGradient(new BatchNormGradient(EPSILON)),
        new Work.ConvolutionRelu(Conv2dGeometry.square(2, 1)),
        new Work.DenseRelu());
  }

  private static boolean takes(Work work, Shape x) {
    return x.rank() == 4 || !(work instanceof Work.ConvolutionRelu);
  }

  /** Channels that a thread, a block, many threads and many blocks add up. */
  static Stream<Trial> trials() {
    Stream<Trial> inParts =
        Stream.of(DType.FP32, DType.FP16, DType.BF16)
            .map(dtype -> new Trial(new Work.DenseRelu(), dtype, Shape.of(5, 2000)));
    Stream<Trial> all =
        Stream.of(
                Shape.of(2, 3, 2, 2),
                Shape.of(3, 5, 3, 3),
                Shape.of(131, 9),
                Shape.of(3, 2, 53, 53))
            .flatMap(
                shape ->
                    Stream.of(DType.FP32, DType.FP16, DType.BF16)
                        .flatMap(
                            dtype ->
                                works().stream()
                                    .filter(work -> takes(work, shape))
                                    .map(work -> new Trial(work, dtype, shape))));
    return Stream.concat(all, inParts);
  }

  /** A graph of a work's ops reads no variables. */
  private record Nothing() implements Variables {
    @Override
    public Tensor read(Variable variable) {
      throw new IllegalStateException("a work reads " + variable);
    }

    @Override
    public long seed() {
      return 0;
    }
  }

  private static Graph graph(
      List<TensorSpec> in, BiFunction<Ops, List<Tensor>, List<Tensor>> described) {
    TracingExecutor tracing = new TracingExecutor(new Nothing());
    List<Tensor> inputs = in.stream().map(tracing::input).toList();
    Ops ops = new Ops(tracing, CellPath.ROOT);
    return tracing.graph(Outcome.of(described.apply(ops, inputs)));
  }

  private Plan compile(Graph graph, PlanOptions options) {
    return gpu.compile(graph, new Nothing(), options, Collective.single());
  }

  private static List<String> labels(Plan plan) {
    return plan.report().schedule().stream().map(PlannedTask::label).toList();
  }

  /** What a full plan yields, which is one task. */
  private List<Tensor> fused(String label, Graph graph, List<Tensor> in) {
    try (Plan plan = compile(graph, PlanOptions.FULL)) {
      assertEquals(List.of(label), labels(plan));
      return plan.run(in).stream().map(scope::copy).toList();
    }
  }

  private Tensor image(TensorSpec spec) {
    double[] values = new double[Math.toIntExact(spec.size())];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(4) == 0 ? SPECIAL[i % SPECIAL.length] : random.nextGaussian();
    }
    return Tensor.of(scope, spec, values);
  }

  /** One with numbers that are not finite, in places that those of two such tensors share. */
  private Tensor troubled(TensorSpec spec) {
    double[] values = image(spec).toArray();
    values[1 + random.nextInt(2)] = Double.NaN;
    values[3] = Double.POSITIVE_INFINITY;
    values[4 + random.nextInt(2)] = Double.NEGATIVE_INFINITY;
    return Tensor.of(scope, spec, values);
  }

  private Tensor channels(Shape image) {
    double[] values = random.doubles(image.dim(1), 0.5, 1.5).map(v -> (float) v).toArray();
    return Tensor.of(scope, TensorSpec.of(DType.FP32, image.dim(1)), values);
  }

  private List<Tensor> inputs(Trial trial, boolean trouble) {
    TensorSpec spec = new TensorSpec(trial.dtype(), trial.shape());
    List<Tensor> in = new ArrayList<>();
    switch (trial.work()) {
      case Work.AddRelu _ -> in.addAll(images(spec, trouble, 2));
      case Work.AddReluGradient _ -> in.addAll(images(spec, trouble, 3));
      case Work.BatchNormRelu norm -> {
        in.add(image(spec));
        in.addAll(List.of(channels(trial.shape()), channels(trial.shape())));
        in.addAll(images(spec, trouble, norm.adds() ? 1 : 0));
        if (trouble) {
          double[] x = in.getFirst().toArray();
          x[0] = Double.NaN; // of which one makes the whole channel such
          in.set(0, Tensor.of(scope, spec, x));
        }
      }
      case Work.BatchNormReluGradient _ -> {
        in.addAll(images(spec, trouble, 1));
        in.add(image(spec));
        for (int i = 0; i < 3; i++) {
          in.add(channels(trial.shape()));
        }
        in.addAll(images(spec, trouble, 1));
      }
      case Work.ConvolutionRelu _ -> {
        in.addAll(images(spec, trouble, 1));
        in.add(small(spec.as(Shape.of(4, trial.shape().dim(1), 3, 3))));
        in.add(image(spec.as(Shape.of(4))));
      }
      case Work.DenseRelu _ -> {
        int features = trial.shape().dim(trial.shape().rank() - 1);
        in.addAll(images(spec, trouble, 1));
        in.add(small(spec.as(Shape.of(6, features))));
        in.add(image(spec.as(Shape.of(6))));
      }
      default -> throw new IllegalArgumentException(trial.toString());
    }
    return in;
  }

  /** A weight, none of it 0, by which sums stay small. */
  private Tensor small(TensorSpec spec) {
    double inner = spec.shape().tail().size();
    double[] values = random.doubles(spec.size(), 0.5, 1.5).toArray();
    for (int i = 0; i < values.length; i++) {
      values[i] *= (random.nextBoolean() ? 1 : -1) / inner;
    }
    return Tensor.of(scope, spec, values);
  }

  private List<Tensor> images(TensorSpec spec, boolean trouble, int count) {
    return Stream.generate(() -> trouble ? troubled(spec) : image(spec)).limit(count).toList();
  }

  private void hold(Trial trial, boolean trouble) {
    List<Tensor> in = inputs(trial, trouble);
    Work work = trial.work();
    List<Tensor> got = fused(work.label(), graph(Tensor.specs(in), work::define), in);
    if (!trial.roundsLess()) {
      assertSame(work.define(new Ops(gpu.eager(scope), CellPath.ROOT), in), got, trial.toString());
    }
    try (ReferenceBackend reference = new ReferenceBackend()) {
      Ops ops = new Ops(reference.eager(scope), CellPath.ROOT);
      List<Tensor> wide = in.stream().map(x -> ops.cast(x, DType.FP32)).toList();
      assertNear(work.define(ops, wide), got, trial.toString());
    }
  }

  /** Zeros of both signs are alike. */
  private static void assertSame(List<Tensor> want, List<Tensor> got, String what) {
    for (int i = 0; i < want.size(); i++) {
      for (int e = 0; e < want.get(i).spec().size(); e++) {
        String where = what + ", output " + i + ", element " + e;
        assertEquals(want.get(i).at(e) + 0.0, got.get(i).at(e) + 0.0, where);
      }
    }
  }

  /** Nearer than any second rounding to the dtype would allow. */
  private static void assertNear(List<Tensor> want, List<Tensor> got, String what) {
    for (int i = 0; i < want.size(); i++) {
      DType dtype = got.get(i).dtype();
      for (int e = 0; e < want.get(i).spec().size(); e++) {
        double exact = want.get(i).at(e);
        String where = what + ", output " + i + ", element " + e;
        if (Double.isFinite(exact)) {
          double size = Math.abs(exact);
          double allowed = halfStep(dtype) * size + FLOAT_ERROR * Math.max(1, size);
          assertEquals(exact, got.get(i).at(e), allowed, where);
        } else {
          assertEquals(exact, got.get(i).at(e), where);
        }
      }
    }
  }

  /** The largest relative error of one rounding. */
  private static double halfStep(DType dtype) {
    return switch (dtype) {
      case FP16 -> 0x1p-11;
      case BF16 -> 0x1p-8;
      default -> 0x1p-24;
    };
  }

  @ParameterizedTest
  @MethodSource("trials")
  final void itIsOneTaskOfTheNumbersOfItsDefinition(Trial trial) {
    hold(trial, false);
  }

  @ParameterizedTest
  @MethodSource("trials")
  final void whatIsNotFiniteStaysWhereTheDefinitionHasIt(Trial trial) {
    hold(trial, true);
  }

  /** As at the levels that keep normalisations in FP32: data is widened before and narrowed. */
  @ParameterizedTest
  @EnumSource(names = {"FP16", "BF16"})
  final void aNormalisationBetweenCastsReadsHalf(DType half) {
    Trial trial = new Trial(works().get(2), half, Shape.of(3, 5, 3, 3));
    List<Tensor> in = inputs(trial, false);
    Graph graph =
        graph(
            Tensor.specs(in),
            (ops, x) -> {
              Tensor wide = ops.cast(x.getFirst(), DType.FP32);
              List<Tensor> norm = ops.runAll(new BatchNorm(EPSILON), wide, x.get(1), x.get(2));
              Tensor y = ops.relu(ops.cast(norm.getFirst(), half));
              return List.of(y, norm.get(1), norm.get(2));
            });
    List<Tensor> want = trial.work().define(new Ops(gpu.eager(scope), CellPath.ROOT), in);
    assertSame(want, fused(trial.work().label(), graph, in), trial.toString());
  }

  @ParameterizedTest
  @MethodSource("works")
  final void aPlainPlanRunsItsOpsOneByOne(Work work) {
    List<Tensor> in = inputs(new Trial(work, DType.FP16, Shape.of(3, 5, 3, 3)), false);
    try (Plan plan = compile(graph(Tensor.specs(in), work::define), PlanOptions.PLAIN)) {
      assertFalse(labels(plan).contains(work.label()), () -> labels(plan).toString());
      List<Tensor> want = work.define(new Ops(gpu.eager(scope), CellPath.ROOT), in);
      assertSame(want, plan.run(in), work.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("works")
  final void whatIsNotComputedIsRefusedInTheWordsOfTheOps(Work work) {
    List<TensorSpec> in =
        inputs(new Trial(work, DType.FP32, Shape.of(2, 3, 4, 4)), false).stream()
            .map(x -> x.spec().as(DType.FP64))
            .toList();
    Graph graph = graph(in, work::define);
    UsageException want =
        assertThrows(UsageException.class, () -> compile(graph, PlanOptions.PLAIN));
    UsageException got = assertThrows(UsageException.class, () -> compile(graph, PlanOptions.FULL));
    assertEquals(want.problem(), got.problem());
  }
}
