package dev.halfcell.zoo.data;

import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;

/**
 * A run of Fashion-MNIST's images, kept as the bytes of the file, outside the heap, and normalised
 * as they are read: (byte / 255 − 0.2860) / 0.3530, then brought into the form that is asked for.
 * The two numbers are mean and deviation of all training pixels.
 *
 * <p>Shapes: image FP32 as the form says, label INT64 scalar. Threads may share it.
 */
final class FashionImages implements DataSet {
  static final int SIDE = ImageForm.SIDE;
  static final int CLASSES = 10;

  private static final int PIXELS = SIDE * SIDE;

  /** What an image and its label take. */
  static final long BYTES = PIXELS + 1;

  private final String name;
  private final ImageForm form;
  private final LabelledBytes source;
  private final int first;
  private final int size;
  private final float[] normalised = new float[256];

  /** {@code size} images of {@code source} from number {@code first}. */
  FashionImages(String name, ImageForm form, LabelledBytes source, int first, int size) {
    this.name = name;
    this.form = form;
    this.source = source;
    this.first = Objects.checkFromIndexSize(first, size, source.size());
    this.size = size;
    for (int pixel = 0; pixel < normalised.length; pixel++) {
      normalised[pixel] = normalised(pixel);
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
    return List.of(form.spec(), TensorSpec.of(DType.INT64));
  }

  @Override
  public void read(int index, List<Tensor> batch, int row) {
    int number = first + Objects.checkIndex(index, size);
    byte[] image = new byte[PIXELS];
    source.pixels().copy((long) number * PIXELS, image);
    form.write((y, line) -> normalise(image, y * SIDE, line), batch.getFirst(), row);
    batch.getLast().data().setAtIndex(ValueLayout.JAVA_LONG, row, source.labels().at(number));
  }

  private void normalise(byte[] image, int from, float[] line) {
    for (int x = 0; x < SIDE; x++) {
      line[x] = normalised[image[from + x] & 0xFF];
    }
  }

  /** The bytes of the files: of enlarged images they are the fewest by far. */
  @Override
  public void identify(MessageDigest sum) {
    source.pixels().addTo(sum, (long) first * PIXELS, (long) size * PIXELS);
    source.labels().addTo(sum, first, size);
  }

  /** What a network is given for a pixel from 0 to 255. */
  static float normalised(int pixel) {
    return (float) ((pixel / 255.0 - 0.2860) / 0.3530);
  }
}
