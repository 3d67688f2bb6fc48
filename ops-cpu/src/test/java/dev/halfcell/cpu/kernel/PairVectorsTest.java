package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.cpu.onednn.Region;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Random;
import java.util.function.Consumer;
import jdk.incubator.vector.ShortVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pooling of 2 x 2 in vectors gives the bits that the loops over arrays give, for rows and channels
 * of all lengths, and writes nothing else.
 */
final class PairVectorsTest {
  private static final Window2d PAIRS = new Window2d(2, 2, 2, 2, Padding2d.NONE);
  private static final int SAMPLES = 3;
  private static final int MARGIN = 256;
  private static final byte UNTOUCHED = 0x55;

  private final Arena arena = Arena.ofConfined();
  private final Random random = new Random(7);
  private final Scratch scratch = new Scratch(new ScratchPool(), 0, new HashMap<>());

  @AfterEach
  void close() {
    arena.close();
  }

  /** With room before and behind it that must stay as it is. */
  private Operand operand(TensorSpec spec, Layout layout) {
    Operand operand = new Operand(spec, layout, new Region(spec.bytes()));
    MemorySegment memory = arena.allocate(spec.bytes() + 2 * MARGIN, 8).fill(UNTOUCHED);
    operand.region().place(memory.asSlice(MARGIN, spec.bytes()));
    return operand;
  }

  private static byte[] around(Operand operand) {
    MemorySegment data = operand.region().data();
    return MemorySegment.ofAddress(data.address() - MARGIN)
        .reinterpret(data.byteSize() + 2 * MARGIN)
        .toArray(ValueLayout.JAVA_BYTE);
  }

  /** Few different numbers, so that many are alike: 0 of both signs, infinities, small ones. */
  private void fill(Operand operand, boolean nan) {
    int infinity = RawPlane.infinity(operand.dtype());
    int sign = operand.dtype().half() ? 0x8000 : 0x80000000;
    int[] bits = {0, sign, 1, sign | 1, infinity, sign | infinity, infinity - 1, infinity / 2};
    MemorySegment data = operand.region().data();
    for (long i = 0; i < operand.spec().size(); i++) {
      int any = random.nextInt() & (sign | infinity - 1);
      int value = random.nextBoolean() ? bits[random.nextInt(bits.length)] : any;
      boolean poison = nan && random.nextInt(400) == 0;
      set(data, operand.dtype(), i, poison ? infinity + 1 | random.nextInt() & sign : value);
    }
  }

  private static void set(MemorySegment data, DType dtype, long i, int bits) {
    if (dtype.half()) {
      data.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i, (short) bits);
    } else {
      data.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * i, bits);
    }
  }

  private record Case(Windows windows, Operand image, TensorSpec pooled, Layout layout) {}

  private Case of(DType dtype, Layout layout, int channels, int height, int width) {
    TensorSpec spec = TensorSpec.of(dtype, SAMPLES, channels, height, width);
    TensorSpec pooled = TensorSpec.of(dtype, SAMPLES, channels, height / 2, width / 2);
    Operand image = operand(spec, layout);
    Windows windows = Windows.of(PAIRS, image, operand(pooled, layout));
    return new Case(windows, image, pooled, layout);
  }

  private void eachSize(DType dtype, Consumer<Case> check) {
    int vectors = 0;
    for (Layout layout : Layout.values()) {
      for (int channels : new int[] {1, 2, 3, 5, 6, 7, 8, 12, 16, 17, 20, 31, 32, 33, 48, 64, 70}) {
        for (int height : new int[] {2, 3, 4}) {
          for (int width : new int[] {2, 3, 7, 8, 10, 15, 28, 66, 71}) {
            Case one = of(dtype, layout, channels, height, width);
            if (PairTable.fits(one.windows())
                && PairVectors.of(one.windows(), one.image()).isPresent()) {
              vectors++;
              check.accept(one);
            }
          }
        }
      }
    }
    Assumptions.assumeTrue(vectors > 0, "this CPU has no vectors for it");
  }

  private static PairVectors vectors(Case of) {
    return PairVectors.of(of.windows(), of.image()).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void poolingGivesTheBitsOfTheLoopOverArrays(DType dtype) {
    eachSize(
        dtype,
        one -> {
          for (boolean nan : new boolean[] {false, true}) {
            assertPools(one, nan);
          }
        });
  }

  private void assertPools(Case one, boolean nan) {
    Windows windows = one.windows();
    fill(one.image(), nan);
    Operand y = operand(one.pooled(), one.layout());
    Operand expected = operand(one.pooled(), one.layout());
    TensorSpec bytes = new TensorSpec(DType.UINT8, one.pooled().shape());
    Operand position = operand(bytes, one.layout());
    Operand expectedPosition = operand(bytes, one.layout());
    MaxPool withNan = new MaxPool(windows, one.image(), y, position, true, scratch);
    var rows = vectors(one);
    var pool = new VectorPairPool(windows, rows, withNan, one.image(), y, position);
    var arrays = new PairPool(windows, one.image(), expected, expectedPosition, scratch);
    for (int plane = 0; plane < windows.planes(); plane++) {
      pool.run(plane);
      arrays.run(plane);
    }
    assertArrayEquals(around(expected), around(y), windows::toString);
    assertArrayEquals(around(expectedPosition), around(position), windows::toString);
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "FP16", "BF16"})
  void theGradientHasTheBitsOfTheLoopOverArrays(DType dtype) {
    eachSize(dtype, this::assertSpreads);
  }

  private void assertSpreads(Case one) {
    Windows windows = one.windows();
    Operand d = operand(one.pooled(), one.layout());
    Operand maximum = operand(one.pooled(), one.layout());
    fill(d, true);
    fill(maximum, true);
    TensorSpec bytes = new TensorSpec(DType.UINT8, one.pooled().shape());
    Operand position = operand(bytes, one.layout());
    MemorySegment places = position.region().data();
    for (long i = 0; i < bytes.size(); i++) {
      places.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt(4));
    }
    Operand expected = operand(one.image().spec(), one.layout());
    var spread =
        new VectorPairPoolGradient(windows, vectors(one), d, maximum, position, one.image());
    var arrays = new PairPoolGradient(windows, d, maximum, position, expected, scratch);
    for (int plane = 0; plane < windows.planes(); plane++) {
      spread.run(plane);
      arrays.run(plane);
    }
    assertArrayEquals(around(expected), around(one.image()), windows::toString);
  }

  @ParameterizedTest
  @CsvSource({"6, 28, true", "16, 10, true", "1, 2, false", "3, 3, false"})
  void rowsShorterThanAVectorAreLeftToArrays(int channels, int width, boolean present) {
    Assumptions.assumeTrue(ShortVector.SPECIES_PREFERRED.length() > 4);
    Case one = of(DType.BF16, Layout.CHANNELS_LAST, channels, 4, width);
    assertEquals(present, PairVectors.of(one.windows(), one.image()).isPresent());
  }

  @ParameterizedTest
  @EnumSource(names = {"FP32", "BF16"})
  void vectorsAreReadInsideTheirRows(DType dtype) {
    eachSize(
        dtype,
        one -> {
          Windows windows = one.windows();
          int length = 64 / dtype.bytes();
          if (PairBlocks.fit(windows, length)) {
            int row = windows.width() * windows.pixel();
            int pooled = windows.pooledWidth() * windows.pixel();
            for (int from : PairBlocks.pooling(windows, length).last()) {
              assertTrue(from >= 0 && from + windows.pixel() + length <= row);
            }
            for (int from : PairBlocks.spreading(windows, length).from()) {
              assertTrue(from >= 0 && from + length <= pooled);
            }
          }
        });
  }
}
