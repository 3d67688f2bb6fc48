package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Collective;
import dev.halfcell.cpu.onednn.OneDnn;
import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sums of channels are exact sums of small integers, whether channels are whole vectors or not, fit
 * registers or not, and wherever the last run ends; those of other numbers have the same bits in
 * vectors and over the heap.
 */
final class ChannelSumsTest {
  private final Random random = new Random(7);

  @ParameterizedTest
  @CsvSource({
    // channels, height, width, samples
    "16, 8, 9, 3",
    "64, 7, 7, 5",
    "32, 5, 5, 2",
    "24, 8, 8, 3",
    "24, 7, 5, 3",
    "3, 16, 16, 2",
    "5, 3, 7, 4",
    "80, 5, 3, 3",
    "128, 4, 4, 3",
    "512, 3, 1, 2",
    "48, 1, 1, 37",
    "4, 389, 1, 1",
    "2, 25, 25, 2"
  })
  void sumsAreExact(int channels, int height, int width, int samples) {
    Shape shape = Shape.of(samples, channels, height, width);
    for (Layout layout : Layout.values()) {
      for (DType slope : new DType[] {DType.FP32, DType.BF16}) {
        assertSums(shape, layout, slope, slope);
      }
      assertSums(shape, layout, DType.FP32, DType.FP16);
      assertSums(shape, layout, DType.FP32, DType.BF16);
    }
  }

  /**
   * A mask of another dtype has no loops in vectors; where it leaves out nothing, centers are 0 and
   * d is x, the sums are those of x alone.
   */
  @ParameterizedTest
  @CsvSource({
    "16, 8, 9, 3",
    "64, 7, 7, 5",
    "24, 8, 8, 3",
    "80, 5, 3, 3",
    "4, 389, 1, 1",
    "2, 25, 25, 2"
  })
  void vectorsAndLoopsOverTheHeapAddInTheSameOrder(
      int channels, int height, int width, int samples) {
    Shape shape = Shape.of(samples, channels, height, width);
    for (Layout layout : Layout.values()) {
      try (OneDnn onednn = OneDnn.open();
          Arena arena = Arena.ofConfined()) {
        Operand halves = operand(arena, shape, layout, DType.FP16, this::wide);
        Operand x = copy(arena, halves, DType.FP32);
        Operand d = operand(arena, shape, layout, DType.FP32, this::wide);
        Operand mask = operand(arena, shape, layout, DType.FP32, this::small);
        Operand other = copy(arena, mask, DType.BF16);
        KernelBuilder builder = new KernelBuilder(machine(onednn));
        Operand all = operand(arena, shape, layout, DType.BF16, () -> 1);
        ChannelSums alone = around0(builder, Optional.empty(), x);
        ChannelSums ofHalves = around0(builder, Optional.empty(), halves);
        ChannelSums overHeap = around0(builder, masked(x, all), x);
        ChannelSums masked = sums(builder, masked(d, mask), x);
        ChannelSums maskedOverHeap = sums(builder, masked(d, other), x);
        try (Kernel kernel = builder.build();
            Team team = new Team(2, () -> {})) {
          team.run(kernel.stages());
          for (int c = 0; c < channels; c++) {
            String what = shape + " " + layout + " " + c;
            assertEquals(overHeap.first(c), alone.first(c), what);
            assertEquals(overHeap.second(c), alone.second(c), what);
            assertEquals(overHeap.first(c), ofHalves.first(c), what);
            assertEquals(overHeap.second(c), ofHalves.second(c), what);
            assertEquals(maskedOverHeap.first(c), masked.first(c), what);
            assertEquals(maskedOverHeap.second(c), masked.second(c), what);
          }
        }
      }
    }
  }

  private static Optional<MaskedGradient> masked(Operand d, Operand mask) {
    return Optional.of(new MaskedGradient(d, Optional.of(mask)));
  }

  private static Operand copy(Arena arena, Operand from, DType dtype) {
    Operand to = placed(arena, from.spec().shape(), from.layout(), dtype);
    for (int i = 0; i < from.spec().shape().size(); i++) {
      double value = Elements.get(from.region().data(), from.dtype(), i);
      Elements.set(to.region().data(), dtype, i, value);
    }
    return to;
  }

  /** Of magnitudes so different that sums of them and of their squares are rounded. */
  private double wide() {
    return Math.scalb(random.nextGaussian(), random.nextInt(25) - 12);
  }

  private double small() {
    return random.nextInt(9) - 4;
  }

  private void assertSums(Shape shape, Layout layout, DType slope, DType kept) {
    try (OneDnn onednn = OneDnn.open();
        Arena arena = Arena.ofConfined()) {
      Operand x = operand(arena, shape, layout, kept, this::small);
      Operand d = operand(arena, shape, layout, slope, this::small);
      Operand above = operand(arena, shape, layout, kept, this::small);
      String what = shape + " " + layout + " " + slope + " " + kept;
      KernelBuilder builder = new KernelBuilder(machine(onednn));
      ChannelSums alone = sums(builder, Optional.empty(), x);
      ChannelSums with = sums(builder, Optional.of(new MaskedGradient(d, Optional.empty())), x);
      ChannelSums masked = sums(builder, masked(d, above), x);
      try (Kernel kernel = builder.build();
          Team team = new Team(2, () -> {})) {
        for (int run = 0; run < 2; run++) { // nothing stays of the first
          team.run(kernel.stages());
          int channels = shape.dim(1);
          for (int c = 0; c < channels; c++) {
            double[] first = new double[3];
            double[] second = new double[3];
            for (int place = 0; place < shape.size() / channels; place++) {
              double away = at(x, place, c) - center(c);
              double by = at(d, place, c);
              double counted = at(above, place, c) > 0 ? by : 0;
              add(first, away, by, counted);
              add(second, away * away, by * away, counted * away);
            }
            double[] sums = {alone.first(c), with.first(c), masked.first(c)};
            double[] products = {alone.second(c), with.second(c), masked.second(c)};
            assertEquals(Arrays.toString(first), Arrays.toString(sums), what + " " + c);
            assertEquals(Arrays.toString(second), Arrays.toString(products), what + " " + c);
          }
        }
      }
    }
  }

  private static void add(double[] to, double... values) {
    Arrays.setAll(to, i -> to[i] + values[i]);
  }

  private static double center(int channel) {
    return channel % 5 - 2;
  }

  private static ChannelSums sums(KernelBuilder builder, Optional<MaskedGradient> d, Operand x) {
    return ChannelSums.of(
        builder, d, x, (_, centers) -> Arrays.setAll(centers, ChannelSumsTest::center));
  }

  private static ChannelSums around0(KernelBuilder builder, Optional<MaskedGradient> d, Operand x) {
    return ChannelSums.of(builder, d, x, (_, centers) -> Arrays.fill(centers, 0));
  }

  /** Element {@code place} of channel {@code c}, samples in order, each by its positions. */
  private static double at(Operand x, int place, int c) {
    Shape shape = x.spec().shape();
    int channels = shape.dim(1);
    int positions = shape.dim(2) * shape.dim(3);
    int index =
        x.layout() == Layout.CHANNELS_LAST
            ? place * channels + c
            : (place / positions * channels + c) * positions + place % positions;
    return Elements.get(x.region().data(), x.dtype(), index);
  }

  private static Operand operand(
      Arena arena, Shape shape, Layout layout, DType dtype, DoubleSupplier values) {
    Operand operand = placed(arena, shape, layout, dtype);
    for (int i = 0; i < shape.size(); i++) {
      Elements.set(operand.region().data(), dtype, i, values.getAsDouble());
    }
    return operand;
  }

  private static Operand placed(Arena arena, Shape shape, Layout layout, DType dtype) {
    TensorSpec spec = new TensorSpec(dtype, shape);
    Operand operand = new Operand(spec, layout, new Region(spec.bytes()));
    operand.region().place(arena.allocate(spec.bytes(), 64));
    return operand;
  }

  private static Machine machine(OneDnn onednn) {
    ComputedDtypes computed = new ComputedDtypes(Set.of(DType.FP32), Set.of(DType.FP32));
    return new Machine(onednn, 2, computed, Collective.single(), new ScratchPool());
  }
}
