package dev.halfcell.gpu.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The functions by which loss scales move have the bits of {@link StrictMath} on any GPU. */
abstract class StrictContract {
  private static final int THREADS = 256;
  private static final int DRAWN = 50_000;
  private static final double LN2 = StrictMath.log(2);

  private final Random random = new Random(11);
  private GpuDevice device;
  private GpuStream stream;
  private GpuModule module;

  /** Opens the GPU that is held to the contract. */
  abstract GpuDevice openDevice();

  @BeforeEach
  final void open() throws IOException {
    device = openDevice();
    stream = device.stream();
    try (InputStream in = StrictContract.class.getResourceAsStream("strict.ptx")) {
      module = device.module("strict", new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    }
  }

  @AfterEach
  final void close() {
    module.close();
    stream.close();
    device.close();
  }

  /** Powers of two, what lies beside them and beside √2, where formulas change, and any floats. */
  @Test
  final void logarithms() {
    int root = Float.floatToIntBits(1.414f);
    int one = Float.floatToIntBits(1);
    IntStream bits =
        Stream.of(
                IntStream.range(-2000, 2000).map(i -> one + i),
                IntStream.range(0, 20_000).map(i -> root - 450_000 + 30 * i),
                IntStream.range(1, 255).map(i -> i << 23),
                IntStream.range(1, 100),
                random.ints(DRAWN, 1, Float.floatToIntBits(Float.POSITIVE_INFINITY)))
            .flatMapToInt(each -> each);
    double[] x = bits.mapToDouble(Float::intBitsToFloat).toArray();
    compare("strict_log2", Float.BYTES, x, StrictContract::log2);
  }

  private static double log2(double x) {
    int exponent = Math.getExponent(x);
    return exponent + StrictMath.log(Math.scalb(x, -exponent)) / LN2;
  }

  /** Halves, where formulas change, what lies beside them, and beyond the range of doubles. */
  @Test
  final void powers() {
    DoubleStream halves =
        IntStream.range(-2400, 2400)
            .mapToDouble(i -> i / 2.0)
            .flatMap(v -> DoubleStream.of(v, v + beside(), v - beside(), Math.nextUp(v)));
    DoubleStream drawn =
        DoubleStream.concat(
            random.doubles(DRAWN, -160, 160), random.doubles(DRAWN / 10, 0.5, 0.5 + 0x1p-20));
    DoubleStream wild =
        DoubleStream.of(
            Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, -1e300);
    double[] all = Stream.of(halves, drawn, wild).flatMapToDouble(each -> each).toArray();
    compare("strict_power_of_two", Double.BYTES, all, y -> StrictMath.pow(2, y));
  }

  private double beside() {
    return Math.scalb(random.nextDouble(), -random.nextInt(50));
  }

  private void compare(String kernel, int bytes, double[] x, DoubleUnaryOperator right) {
    double[] got = run(kernel, bytes, x);
    for (int i = 0; i < x.length; i++) {
      long want = Double.doubleToLongBits(right.applyAsDouble(x[i]));
      assertEquals(want, Double.doubleToLongBits(got[i]), kernel + " of " + x[i]);
    }
  }

  private double[] run(String kernel, int bytes, double[] x) {
    try (GpuArena in = device.allocate((long) bytes * x.length);
        GpuArena out = device.allocate((long) Double.BYTES * x.length);
        PinnedMemory given = device.pinned((long) bytes * x.length);
        PinnedMemory found = device.pinned((long) Double.BYTES * x.length)) {
      fill(given.memory(), bytes, x);
      stream.upload(given.memory(), in.memory());
      module
          .kernel(kernel)
          .launch(
              stream,
              Size.of(Math.ceilDiv(x.length, THREADS)),
              Size.of(THREADS),
              List.of(
                  new Argument.Address(in.memory()),
                  new Argument.Address(out.memory()),
                  new Argument.Int64(x.length)));
      stream.download(out.memory(), found.memory());
      stream.synchronize();
      return found.memory().toArray(ValueLayout.JAVA_DOUBLE);
    }
  }

  private static void fill(MemorySegment memory, int bytes, double[] x) {
    for (int i = 0; i < x.length; i++) {
      if (bytes == Float.BYTES) {
        memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) x[i]);
      } else {
        memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x[i]);
      }
    }
  }
}
