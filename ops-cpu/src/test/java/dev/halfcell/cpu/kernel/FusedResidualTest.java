package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.cpu.onednn.OneDnn;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Normalisation, sum and ReLU in one kernel against one after the other, in both layouts, for even
 * and odd numbers of elements and channels, among them NaN, infinities and zeros of both signs.
 */
final class FusedResidualTest {
  private static final double[] SPECIAL = {0, -0.0, 1, -1, 0x1p-20, -3};
  private static OneDnn onednn;

  private final TensorScope scope = TensorScope.open();
  private final Random random = new Random(1);

  @BeforeAll
  static void open() {
    onednn = OneDnn.open();
  }

  @AfterAll
  static void closeLibrary() {
    onednn.close();
  }

  @AfterEach
  void close() {
    scope.close();
  }

  private Tensor image(DType dtype, int n, int c, int side) {
    TensorSpec spec = TensorSpec.of(dtype, n, c, side, side);
    Tensor tensor = scope.allocate(spec);
    for (int i = 0; i < spec.size(); i++) {
      double value = random.nextInt(4) == 0 ? SPECIAL[i % SPECIAL.length] : random.nextGaussian();
      Elements.set(tensor.data(), dtype, i, value);
    }
    return tensor;
  }

  private Tensor channels(int c) {
    double[] values = random.doubles(c, 0.5, 1.5).map(v -> (float) v).toArray();
    return Tensor.of(scope, TensorSpec.of(DType.FP32, c), values);
  }

  private static Machine machine() {
    return new Machine(
        onednn,
        2,
        new ComputedDtypes(Set.of(DType.FP32), Set.of(DType.FP32)),
        Collective.single(),
        new ScratchPool());
  }

  private static Operand operand(TensorSpec spec, Layout layout) {
    return new Operand(
        spec, spec.rank() == 4 ? layout : Layout.ROW_MAJOR, new Region(spec.bytes()));
  }

  /** Where an element lies in a layout. */
  private static long place(TensorSpec spec, Layout layout, int index) {
    if (spec.rank() != 4 || layout == Layout.ROW_MAJOR) {
      return index;
    }
    int plane = spec.dim(2) * spec.dim(3);
    int channel = index / plane % spec.dim(1);
    int sample = index / plane / spec.dim(1);
    return ((long) sample * plane + index % plane) * spec.dim(1) + channel;
  }

  /** What a kernel makes of tensors that lie in a layout. */
  private List<Tensor> run(Work work, List<Tensor> in, List<TensorSpec> out, Layout layout) {
    List<Operand> from = in.stream().map(x -> operand(x.spec(), layout)).toList();
    List<Operand> to = out.stream().map(spec -> operand(spec, layout)).toList();
    try (Kernel kernel = Kernels.of(machine(), work, from, to, CellPath.ROOT)) {
      for (int i = 0; i < in.size(); i++) {
        Tensor laid = scope.allocate(in.get(i).spec());
        for (int e = 0; e < laid.spec().size(); e++) {
          long place = place(laid.spec(), from.get(i).layout(), e);
          Elements.set(laid.data(), laid.dtype(), place, in.get(i).at(e));
        }
        from.get(i).region().place(laid.data());
      }
      to.forEach(y -> y.region().place(scope.allocate(y.spec()).data()));
      kernel.workspaces().forEach(w -> w.place(scope.allocate(bytes(w)).data()));
      kernel.bind();
      try (Team team = new Team(2, onednn::enterThread)) {
        team.run(kernel.stages());
      }
    }
    return to.stream().map(y -> rowMajor(y)).toList();
  }

  private static TensorSpec bytes(Region region) {
    return TensorSpec.of(DType.UINT8, Math.toIntExact(region.bytes()));
  }

  private Tensor rowMajor(Operand operand) {
    Tensor tensor = scope.allocate(operand.spec());
    for (int e = 0; e < tensor.spec().size(); e++) {
      long place = place(operand.spec(), operand.layout(), e);
      double value = Elements.get(operand.region().data(), operand.dtype(), place);
      Elements.set(tensor.data(), operand.dtype(), e, value);
    }
    return tensor;
  }

  @ParameterizedTest
  @CsvSource({
    "FP32, ROW_MAJOR, 3, 5, 4", "FP32, CHANNELS_LAST, 3, 5, 4", "FP32, CHANNELS_LAST, 2, 700, 3",
    "FP16, ROW_MAJOR, 3, 5, 3", "FP16, CHANNELS_LAST, 3, 16, 5", "BF16, ROW_MAJOR, 3, 5, 3",
    "BF16, CHANNELS_LAST, 3, 5, 3", "BF16, CHANNELS_LAST, 7, 16, 9", "BF16, ROW_MAJOR, 3, 4, 24"
  })
  void reluInTheNormalisationHasTheBitsOfReluBehindIt(
      DType dtype, Layout layout, int n, int c, int side) {
    Tensor x = image(dtype, n, c, side);
    BatchNorm norm = new BatchNorm(1e-5);
    List<Tensor> in = List.of(x, channels(c), channels(c));
    List<TensorSpec> specs = List.of(x.spec(), in.get(1).spec(), in.get(1).spec());
    List<Tensor> apart = new ArrayList<>(run(new Work.Single(norm), in, specs, layout));
    Work relu = new Work.Single(new Relu());
    apart.set(0, run(relu, apart.subList(0, 1), specs.subList(0, 1), layout).getFirst());
    requireEqual(apart, run(new Work.BatchNormRelu(norm, false), in, specs, layout));
  }

  @ParameterizedTest
  @CsvSource({
    "FP32, ROW_MAJOR, 3, 5, 4", "FP32, CHANNELS_LAST, 3, 5, 4", "FP32, CHANNELS_LAST, 2, 700, 3",
    "FP16, ROW_MAJOR, 3, 5, 3", "FP16, CHANNELS_LAST, 3, 16, 5", "BF16, ROW_MAJOR, 3, 5, 3",
    "BF16, CHANNELS_LAST, 3, 5, 3", "BF16, CHANNELS_LAST, 7, 16, 9", "BF16, ROW_MAJOR, 3, 4, 24"
  })
  void maskInTheGradientHasTheBitsOfAMaskBeforeIt(
      DType dtype, Layout layout, int n, int c, int side) {
    Tensor d = image(dtype, n, c, side);
    Tensor x = image(dtype, n, c, side);
    Tensor y = image(dtype, n, c, side);
    Elements.set(y.data(), dtype, 3, Double.NaN);
    Elements.set(y.data(), dtype, 4, Double.POSITIVE_INFINITY);
    Elements.set(y.data(), dtype, 7, Double.NEGATIVE_INFINITY);
    Elements.set(d.data(), dtype, 3, Double.POSITIVE_INFINITY);
    BatchNormGradient gradient = new BatchNormGradient(1e-5);
    List<Tensor> rest = List.of(x, channels(c), channels(c), channels(c));
    List<TensorSpec> specs = List.of(x.spec(), rest.get(1).spec(), rest.get(1).spec());
    Work mask = new Work.Single(new ReluGradient());
    List<Tensor> apart = new ArrayList<>(rest);
    apart.addFirst(run(mask, List.of(d, y), specs.subList(0, 1), layout).getFirst());
    List<Tensor> together = new ArrayList<>(rest);
    together.addFirst(d);
    together.add(y);
    requireEqual(
        run(new Work.Single(gradient), apart, specs, layout),
        run(new Work.BatchNormReluGradient(gradient), together, specs, layout));
  }

  /**
   * A gradient in FP32, as where half is storage only, beside an output in half, and the reverse.
   */
  @ParameterizedTest
  @CsvSource({"FP32, BF16, 16", "FP32, FP16, 5", "BF16, FP32, 5", "FP16, BF16, 16"})
  void aMaskOfAnotherDtypeMasksTheSamePlaces(DType dtype, DType maskDtype, int c) {
    Tensor d = image(dtype, 3, c, 5);
    Tensor x = image(dtype, 3, c, 5);
    Tensor y = image(maskDtype, 3, c, 5);
    Tensor alike = scope.allocate(d.spec());
    for (int i = 0; i < y.spec().size(); i++) {
      Elements.set(alike.data(), dtype, i, Math.signum(y.at(i)));
    }
    List<Tensor> rest = List.of(x, channels(c), channels(c), channels(c));
    List<TensorSpec> specs = List.of(x.spec(), rest.get(1).spec(), rest.get(1).spec());
    Work work = new Work.BatchNormReluGradient(new BatchNormGradient(1e-5));
    List<Tensor> ofOther = new ArrayList<>(rest);
    ofOther.addFirst(d);
    List<Tensor> ofSame = new ArrayList<>(ofOther);
    ofOther.add(y);
    ofSame.add(alike);
    requireEqual(
        run(work, ofSame, specs, Layout.CHANNELS_LAST),
        run(work, ofOther, specs, Layout.CHANNELS_LAST));
  }

  /** As where convolutions store half alone: what was kept is half, gradients are not. */
  @ParameterizedTest
  @CsvSource({"BF16, 16", "BF16, 5", "FP16, 16", "FP16, 5"})
  void gradientsBesideHalvesHaveTheBitsOfThoseBesideTheSameFloats(DType kept, int c) {
    Tensor d = image(DType.FP32, 3, c, 5);
    Tensor x = image(kept, 3, c, 5);
    Tensor y = image(kept, 3, c, 5);
    List<Tensor> rest = List.of(channels(c), channels(c), channels(c));
    List<TensorSpec> norm = List.of(d.spec(), rest.get(1).spec(), rest.get(1).spec());
    BatchNormGradient gradient = new BatchNormGradient(1e-5);
    requireAsBesideFloats(new Work.Single(gradient), List.of(d), List.of(x), rest, norm);
    List<Tensor> masked = new ArrayList<>(rest);
    masked.add(wide(y));
    requireAsBesideFloats(
        new Work.BatchNormReluGradient(gradient), List.of(d), List.of(x), masked, norm);
    masked.set(3, y);
    requireAsBesideFloats(
        new Work.BatchNormReluGradient(gradient), List.of(d), List.of(x), masked, norm);
    List<Tensor> both = List.of(d, image(DType.FP32, 3, c, 5));
    requireAsBesideFloats(
        new Work.AddReluGradient(), both, List.of(y), List.of(), norm.subList(0, 1));
  }

  /** {@code kept} stand between gradients and the rest; what of the rest is half is kept too. */
  private void requireAsBesideFloats(
      Work work,
      List<Tensor> gradients,
      List<Tensor> kept,
      List<Tensor> rest,
      List<TensorSpec> out) {
    List<Tensor> halves = Stream.of(gradients, kept, rest).flatMap(List::stream).toList();
    List<Tensor> floats = halves.stream().map(x -> x.dtype().half() ? wide(x) : x).toList();
    requireEqual(
        run(work, floats, out, Layout.CHANNELS_LAST), run(work, halves, out, Layout.CHANNELS_LAST));
  }

  private Tensor wide(Tensor x) {
    Tensor wide = scope.allocate(x.spec().as(DType.FP32));
    for (int i = 0; i < x.spec().size(); i++) {
      Elements.set(wide.data(), DType.FP32, i, x.at(i));
    }
    return wide;
  }

  @ParameterizedTest
  @CsvSource({
    "FP32, ROW_MAJOR, 3, 5, 4",
    "FP32, CHANNELS_LAST, 3, 16, 4",
    "FP16, CHANNELS_LAST, 3, 5, 3",
    "BF16, CHANNELS_LAST, 3, 5, 3",
    "BF16, CHANNELS_LAST, 3, 16, 9"
  })
  void sumsAndMasksAgreeWithTheirDefinition(DType dtype, Layout layout, int n, int c, int side) {
    Tensor a = image(dtype, n, c, side);
    Tensor b = image(dtype, n, c, side);
    Tensor y = image(dtype, n, c, side);
    Tensor gamma = channels(c);
    List<TensorSpec> one = List.of(a.spec());
    List<TensorSpec> norm = List.of(a.spec(), gamma.spec(), gamma.spec());
    requireAsDefined(new Work.AddRelu(), List.of(a, b), one, layout);
    requireAsDefined(new Work.AddReluGradient(), List.of(a, b, y), one, layout);
    requireAsDefined(
        new Work.BatchNormRelu(new BatchNorm(1e-5), true),
        List.of(a, gamma, gamma, b),
        norm,
        layout);
    requireAsDefined(
        new Work.BatchNormRelu(new BatchNorm(1e-5, true), true),
        List.of(a, gamma, gamma, b),
        norm,
        layout);
  }

  private void requireAsDefined(Work work, List<Tensor> in, List<TensorSpec> specs, Layout layout) {
    try (ReferenceBackend reference = new ReferenceBackend()) {
      List<Tensor> want = work.define(new Ops(reference.eager(scope), CellPath.ROOT), in);
      List<Tensor> got = run(work, in, specs, layout);
      for (int i = 0; i < specs.size(); i++) {
        double step = specs.get(i).dtype() == DType.FP32 ? 1e-5 : 0x1p-5; // of BF16 from 4 to 8
        assertArrayEquals(
            want.get(i).toArray(), got.get(i).toArray(), step, work + ", output " + i);
      }
    }
  }

  private static void requireEqual(List<Tensor> want, List<Tensor> got) {
    for (int i = 0; i < want.size(); i++) {
      int output = i;
      Tensor a = want.get(i);
      Tensor b = got.get(i);
      IntStream.range(0, Math.toIntExact(a.spec().size()))
          .forEach(e -> assertEquals(a.at(e), b.at(e), "output " + output + ", element " + e));
    }
  }
}
