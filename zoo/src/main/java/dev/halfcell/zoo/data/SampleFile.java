package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Images from people's own files: arrays [N, C, H, W], [C, H, W] or [H, W] of {@link NpyArray}, or
 * a {@link Picture}. Bytes are pixels, and are scaled as the data set's are; floating numbers are
 * taken as they are. Images of 28 x 28 are brought into the network's form as the data set's are;
 * others have to be of that form.
 *
 * @param sizes of the array [N, C, H, W]
 */
record SampleFile(String where, Shape sizes, Values values) {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};

  /** What the network is to be given for an element. */
  @FunctionalInterface
  interface Values {
    double at(int sample, int channel, int y, int x);
  }

  /** All samples of a file: FP32 [N, ...] with samples of {@code form}. */
  static Tensor read(Path file, TensorSpec form, TensorScope scope) {
    ImageForm to = new ImageForm(form);
    byte[] bytes = bytes(file);
    String where = file.toString();
    boolean png = bytes.length >= PNG.length;
    for (int i = 0; png && i < PNG.length; i++) {
      png = bytes[i] == PNG[i];
    }
    SampleFile images = png ? ofPicture(bytes, where, to) : ofArray(bytes, where);
    return images.as(to, scope);
  }

  private static byte[] bytes(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        throw error(file.toString(), "a file", Files.exists(file) ? "something else" : "none");
      }
      if (Files.size(file) > IdxFile.LARGEST) {
        throw error(
            file.toString(), "at most " + IdxFile.LARGEST + " bytes", Files.size(file) + " bytes");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new DataException(problem(file.toString(), "a file that can be read", e.toString()), e);
    }
  }

  private static SampleFile ofPicture(byte[] bytes, String where, ImageForm form) {
    Picture picture = Picture.parse(bytes, where);
    boolean own = picture.width() == ImageForm.SIDE && picture.height() == ImageForm.SIDE;
    int channels = own || form.channels() != 3 ? 1 : 3;
    return new SampleFile(
        where,
        Shape.of(1, channels, picture.height(), picture.width()),
        (_, c, y, x) -> FashionImages.normalised(picture.at(c, channels, y, x)));
  }

  private static SampleFile ofArray(byte[] bytes, String where) {
    NpyArray array = NpyArray.parse(bytes, where);
    List<Integer> said = array.sizes();
    int rank = said.size();
    if (rank < 2 || rank > 4) {
      throw error(where, "an array [N, C, H, W], [C, H, W] or [H, W]", said.toString());
    }
    int height = said.get(rank - 2);
    int width = said.get(rank - 1);
    int channels = rank == 2 ? 1 : said.get(rank - 3);
    Shape sizes = Shape.of(rank == 4 ? said.getFirst() : 1, channels, height, width);
    boolean pixels = array.dtype() == NpyArray.Element.UINT8;
    return new SampleFile(
        where,
        sizes,
        (n, c, y, x) -> {
          double value = array.at(((n * channels + c) * height + y) * width + x);
          return pixels ? FashionImages.normalised((int) value) : value;
        });
  }

  private Tensor as(ImageForm form, TensorScope scope) {
    Shape image = sizes.tail();
    Shape own = Shape.of(1, ImageForm.SIDE, ImageForm.SIDE);
    Shape whole = Shape.of(form.channels(), form.side(), form.side());
    if (!image.equals(own) && !image.equals(whole)) {
      String alone = own.equals(whole) ? "" : " or " + whole + ", as the network takes them";
      throw error(where, "images of " + own + alone, image.toString());
    }
    int count = sizes.dim(0);
    Tensor samples = scope.allocate(form.spec().as(form.spec().shape().behind(count)));
    for (int n = 0; n < count; n++) {
      float[] pixels = pixels(n, image);
      if (image.equals(own)) {
        form.write(
            (y, line) -> System.arraycopy(pixels, y * line.length, line, 0, line.length),
            samples,
            n);
      } else {
        for (int i = 0; i < pixels.length; i++) {
          Elements.set(samples.data(), DType.FP32, (long) n * pixels.length + i, pixels[i]);
        }
      }
    }
    return samples;
  }

  private float[] pixels(int sample, Shape image) {
    float[] pixels = new float[Math.toIntExact(image.size())];
    int height = image.dim(1);
    int width = image.dim(2);
    for (int i = 0; i < pixels.length; i++) {
      double value = values.at(sample, i / (height * width), i / width % height, i % width);
      pixels[i] = (float) value;
      if (!Float.isFinite(pixels[i])) {
        throw error(where, "finite numbers", value + " in image " + sample);
      }
    }
    return pixels;
  }

  private static DataException error(String where, String expected, String got) {
    return new DataException(problem(where, expected, got));
  }

  private static Problem problem(String where, String expected, String got) {
    String fix = "Name a PNG picture, or an array that numpy.save wrote.";
    return new Problem("samples", where, expected, got, fix);
  }
}
