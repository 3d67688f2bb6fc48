package dev.halfcell.zoo.data;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * People's own images, of which a network is to say something. Images of 28 x 28 are brought into
 * the network's form as the data set's are; others have to be of that form. Immutable.
 */
public final class SampleImages {
  private static final int AXES = 4;

  private final String where;
  private final Shape sizes;
  private final Values values;

  /** What the network is to be given for an element. */
  @FunctionalInterface
  interface Values {
    double at(int sample, int channel, int y, int x);
  }

  /**
   * Images from somewhere.
   *
   * @param where they come from, for messages
   * @param sizes of the array [N, C, H, W]
   */
  SampleImages(String where, Shape sizes, Values values) {
    this.where = where;
    this.sizes = sizes;
    this.values = values;
  }

  /**
   * Images of an array of numbers.
   *
   * @param where it comes from, for messages
   * @param sizes of the array [N, C, H, W]
   * @param numbers its elements, the last axis fastest
   * @param pixels whether they are whole numbers from 0 to 255, to be scaled as the data set's
   *     pixels are; otherwise they are taken as they are
   */
  public static SampleImages of(String where, Shape sizes, float[] numbers, boolean pixels) {
    ArgumentException.require(
        sizes.rank() == AXES && sizes.size() == numbers.length,
        where,
        "as many numbers as sizes [N, C, H, W] say",
        numbers.length + " of " + sizes);
    float[] own = numbers.clone();
    return new SampleImages(where, sizes, index -> own[index], pixels);
  }

  /** An element by its place in the flat order of an array. */
  @FunctionalInterface
  interface Flat {
    double at(int index);
  }

  SampleImages(String where, Shape sizes, Flat elements, boolean pixels) {
    this(
        where,
        sizes,
        (n, c, y, x) -> {
          double value =
              elements.at(((n * sizes.dim(1) + c) * sizes.dim(2) + y) * sizes.dim(3) + x);
          return pixels ? FashionImages.normalised((int) value) : value;
        });
  }

  /** The shapes [C, H, W] that an image may have for a network of that form, the usual first. */
  public static List<Shape> shapes(TensorSpec form) {
    ImageForm to = new ImageForm(form);
    Shape own = Shape.of(1, ImageForm.SIDE, ImageForm.SIDE);
    Shape whole = Shape.of(to.channels(), to.side(), to.side());
    return own.equals(whole) ? List.of(own) : List.of(own, whole);
  }

  /** Where they come from. */
  public String where() {
    return where;
  }

  /** How many they are. */
  public int count() {
    return sizes.dim(0);
  }

  /**
   * Throws where one of them cannot be brought into a form. Nothing of it is kept.
   *
   * @throws DataException where they have another size, or a number in them is not finite
   */
  public void requireFor(TensorSpec form) {
    requireShape(form);
    for (int n = 0; n < count(); n++) {
      var _ = pixels(n);
    }
  }

  /**
   * Some of them: FP32 [count, ...] with samples of {@code form}.
   *
   * @param first the number of the first, from 0
   */
  public Tensor as(TensorSpec form, int first, int count, TensorScope scope) {
    requireShape(form);
    ImageForm to = new ImageForm(form);
    Tensor samples = scope.allocate(form.as(form.shape().behind(count)));
    boolean own = sizes.tail().equals(shapes(form).getFirst());
    for (int row = 0; row < count; row++) {
      float[] pixels = pixels(first + row);
      if (own) {
        to.write(
            (y, line) -> System.arraycopy(pixels, y * line.length, line, 0, line.length),
            samples,
            row);
      } else {
        for (int i = 0; i < pixels.length; i++) {
          Elements.set(samples.data(), DType.FP32, (long) row * pixels.length + i, pixels[i]);
        }
      }
    }
    return samples;
  }

  private void requireShape(TensorSpec form) {
    List<Shape> shapes = shapes(form);
    Shape image = sizes.tail();
    if (!shapes.contains(image)) {
      String alone =
          shapes.size() == 1 ? "" : " or " + shapes.getLast() + ", as the network takes them";
      throw error("images of " + shapes.getFirst() + alone, image.toString());
    }
  }

  private float[] pixels(int sample) {
    float[] pixels = new float[Math.toIntExact(sizes.tail().size())];
    int height = sizes.dim(2);
    int width = sizes.dim(3);
    for (int i = 0; i < pixels.length; i++) {
      double value = values.at(sample, i / (height * width), i / width % height, i % width);
      pixels[i] = (float) value;
      if (!Float.isFinite(pixels[i])) {
        throw error("finite numbers", value + " in image " + sample);
      }
    }
    return pixels;
  }

  private DataException error(String expected, String got) {
    return new DataException(
        new Problem("samples", where, expected, got, "Take images of that form."));
  }
}
