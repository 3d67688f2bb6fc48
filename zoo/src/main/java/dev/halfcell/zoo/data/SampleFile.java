package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads images from people's own files: arrays [N, C, H, W], [C, H, W] or [H, W] of {@link
 * NpyArray}, or a {@link Picture}. Bytes are pixels, and are scaled as the data set's are; floating
 * numbers are taken as they are.
 */
final class SampleFile {
  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};

  private SampleFile() {}

  /** All images of a file, for a network of that form. */
  static SampleImages read(Path file, TensorSpec form) {
    byte[] bytes = bytes(file);
    String where = file.toString();
    boolean png = bytes.length >= PNG.length;
    for (int i = 0; png && i < PNG.length; i++) {
      png = bytes[i] == PNG[i];
    }
    return png ? ofPicture(bytes, where, new ImageForm(form)) : ofArray(bytes, where);
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

  private static SampleImages ofPicture(byte[] bytes, String where, ImageForm form) {
    Picture picture = Picture.parse(bytes, where);
    boolean own = picture.width() == ImageForm.SIDE && picture.height() == ImageForm.SIDE;
    int channels = own || form.channels() != 3 ? 1 : 3;
    return new SampleImages(
        where,
        Shape.of(1, channels, picture.height(), picture.width()),
        (_, c, y, x) -> FashionImages.normalised(picture.at(c, channels, y, x)));
  }

  private static SampleImages ofArray(byte[] bytes, String where) {
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
    return new SampleImages(where, sizes, array::at, pixels);
  }

  private static DataException error(String where, String expected, String got) {
    return new DataException(problem(where, expected, got));
  }

  private static Problem problem(String where, String expected, String got) {
    String fix = "Name a PNG picture, or an array that numpy.save wrote.";
    return new Problem("samples", where, expected, got, fix);
  }
}
