package dev.halfcell.gpu;

import dev.halfcell.op.Padding2d;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels of which each thread takes a run of neighbours: whatever the length of a tensor, or of an
 * image's rows, of small whole numbers they make the bits of the reference.
 */
@Tag("either")
final class RunsOfNeighboursTest {
  private static final List<DType> FLOATING = List.of(DType.FP32, DType.FP16, DType.BF16);

  private final Random random = new Random(3);
  private BesideReference beside;

  @BeforeEach
  void open() {
    beside = new BesideReference(TestedGpu.open());
  }

  @AfterEach
  void close() {
    beside.close();
  }

  /**
   * Parts of a run, several runs, several blocks, with all that may be left behind the last run.
   */
  static IntStream lengths() {
    return IntStream.concat(IntStream.rangeClosed(1, 17), IntStream.of(2047, 2048, 2049, 4101));
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void casts(int length) {
    for (DType from : DType.values()) {
      Tensor x = drawn(from, Shape.of(length));
      for (DType to : DType.values()) {
        beside.assertSame(new Cast(to, CastOverflow.INF), x);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void rectifiers(int length) {
    for (DType dtype : FLOATING) {
      Tensor x = drawn(dtype, Shape.of(length));
      beside.assertSame(new Relu(), x);
      beside.assertSame(new ReluGradient(), drawn(dtype, Shape.of(length)), x);
    }
  }

  /** Windows on images of a height and a width. */
  record Pooled(Windows2d windows, int height, int width) {}

  /**
   * Rows of whole runs, of parts of one and of both; windows that overlap, that leave places out,
   * that are longer than a run, and that differ in size; positions of a byte and of four.
   */
  static Stream<Pooled> pooled() {
    Window2d uneven = new Window2d(3, 4, 2, 1, new Padding2d(2, 1, 3, 0));
    Window2d wide = new Window2d(2, 19, 1, 3, new Padding2d(1, 0, 9, 18));
    return Stream.of(
        new Pooled(Window2d.square(3, 2, 1), 112, 112),
        new Pooled(Window2d.square(3, 2, 1), 9, 13),
        new Pooled(Window2d.square(2, 2, 0), 6, 24),
        new Pooled(Window2d.square(2, 3, 1), 8, 17),
        new Pooled(Window2d.square(1, 10, 0), 11, 40),
        new Pooled(Window2d.square(17, 1, 8), 20, 21),
        new Pooled(uneven, 5, 8),
        new Pooled(uneven, 4, 7),
        new Pooled(wide, 3, 32),
        new Pooled(new AdaptiveWindow2d(3, 5), 7, 16),
        new Pooled(new AdaptiveWindow2d(4, 30), 3, 19),
        new Pooled(AdaptiveWindow2d.GLOBAL, 18, 24));
  }

  @ParameterizedTest
  @MethodSource("pooled")
  void gradientsOfTheLargest(Pooled each) {
    for (DType dtype : FLOATING) {
      Shape image = Shape.of(2, 3, each.height(), each.width());
      Tensor x = drawn(dtype, image);
      List<Tensor> largest = beside.right(new MaxPool2d(each.windows()), x);
      Tensor d = drawn(dtype, largest.getFirst().spec().shape());
      beside.assertSame(new MaxPool2dGradient(each.windows(), image), d, largest.get(1));
    }
  }

  /** Numbers of every dtype. */
  private Tensor drawn(DType dtype, Shape shape) {
    double[] values = new double[Math.toIntExact(shape.size())];
    int least = dtype.floating() ? -3 : 0;
    int end = dtype == DType.BOOL ? 2 : 4;
    Arrays.setAll(values, _ -> random.nextInt(least, end));
    return Tensor.of(beside.scope(), new TensorSpec(dtype, shape), values);
  }
}
