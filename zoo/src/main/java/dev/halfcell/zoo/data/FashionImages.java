package dev.halfcell.zoo.data;

import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;

/**
 * A run of Fashion-MNIST's images, kept as the bytes of the file and normalised as they are read:
 * (byte / 255 − 0.2860) / 0.3530, then a frame of two zeros around it, so that 28 x 28 pixels
 * become 32 x 32. The two numbers are mean and deviation of all training pixels.
 *
 * <p>Shapes: image FP32 [1, 32, 32], label INT64 scalar. Threads may share it.
 */
final class FashionImages implements DataSet {
  static final int SIDE = 28;
  static final int CLASSES = 10;

  private static final int FRAME = 2;
  private static final int PADDED_SIDE = SIDE + 2 * FRAME;
  private static final int PIXELS = SIDE * SIDE;
  private static final int PADDED_PIXELS = PADDED_SIDE * PADDED_SIDE;
  private static final List<TensorSpec> SAMPLE =
      List.of(TensorSpec.of(DType.FP32, 1, PADDED_SIDE, PADDED_SIDE), TensorSpec.of(DType.INT64));

  private final String name;
  private final LabelledBytes source;
  private final int first;
  private final int size;
  private final float[] normalised = new float[256];

  /** {@code size} images of {@code source} from number {@code first}. */
  FashionImages(String name, LabelledBytes source, int first, int size) {
    this.name = name;
    this.source = source;
    this.first = Objects.checkFromIndexSize(first, size, source.size());
    this.size = size;
    for (int pixel = 0; pixel < normalised.length; pixel++) {
      normalised[pixel] = (float) ((pixel / 255.0 - 0.2860) / 0.3530);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int classes() {
    return CLASSES;
  }

  @Override
  public List<TensorSpec> sample() {
    return SAMPLE;
  }

  @Override
  public void read(int index, List<Tensor> batch, int row) {
    int number = first + Objects.checkIndex(index, size);
    float[] padded = padded(number * PIXELS);
    MemorySegment images = batch.getFirst().data();
    long offset = (long) row * PADDED_PIXELS * Float.BYTES;
    MemorySegment.copy(padded, 0, images, ValueLayout.JAVA_FLOAT, offset, PADDED_PIXELS);
    batch.getLast().data().setAtIndex(ValueLayout.JAVA_LONG, row, source.labels()[number]);
  }

  private float[] padded(int firstPixel) {
    byte[] pixels = source.pixels();
    float[] padded = new float[PADDED_PIXELS];
    for (int line = 0; line < SIDE; line++) {
      int from = firstPixel + line * SIDE;
      int to = (line + FRAME) * PADDED_SIDE + FRAME;
      for (int column = 0; column < SIDE; column++) {
        padded[to + column] = normalised[pixels[from + column] & 0xFF];
      }
    }
    return padded;
  }
}
