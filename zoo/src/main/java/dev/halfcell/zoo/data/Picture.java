package dev.halfcell.zoo.data;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * The pixels of a PNG file, 8 bits each: grey ones as the file has them, coloured ones as red,
 * green and blue. Sixteen bits are rounded to eight. Nothing that is transparent.
 *
 * @param image as Java reads it
 */
record Picture(BufferedImage image) {
  private static final long MOST_PIXELS = 1 << 24;

  /** Reads the bytes of a file; {@code where} it lies is for messages. */
  static Picture parse(byte[] file, String where) {
    ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
    // ImageIO's own choice of a stream would write the bytes into a temporary file first.
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
      reader.setInput(in);
      long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
      require(
          pixels <= MOST_PIXELS, where, "at most " + MOST_PIXELS + " pixels", pixels + " pixels");
      BufferedImage image = reader.read(0);
      require(opaque(image), where, "a picture without transparent pixels", "some");
      return new Picture(image);
    } catch (IOException | RuntimeException e) {
      if (e instanceof DataException known) {
        throw known;
      }
      throw new DataException(problem(where, "a whole PNG file", shown(e)), e);
    } finally {
      reader.dispose();
    }
  }

  private static String shown(Exception e) {
    return "one that cannot be read (" + e.getMessage() + ")";
  }

  private static boolean opaque(BufferedImage image) {
    for (int y = 0; image.getColorModel().hasAlpha() && y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        if (image.getRGB(x, y) >>> 24 != 0xFF) {
          return false;
        }
      }
    }
    return true;
  }

  int width() {
    return image.getWidth();
  }

  int height() {
    return image.getHeight();
  }

  /**
   * A pixel of a channel, 0 to 255.
   *
   * @param channels 1 for grey, to which colours become by ITU-R BT.601 (0.299 R + 0.587 G + 0.114
   *     B), or 3 for red, green and blue
   */
  int at(int channel, int channels, int y, int x) {
    if (grey()) {
      return greyAt(y, x);
    }
    int rgb = image.getRGB(x, y);
    int red = rgb >> 16 & 0xFF;
    int green = rgb >> 8 & 0xFF;
    int blue = rgb & 0xFF;
    if (channels == 1) {
      return (299 * red + 587 * green + 114 * blue + 500) / 1000;
    }
    return rgb >> 8 * (2 - channel) & 0xFF;
  }

  // Java's own colour conversion would give a grey pixel another value: its grey is linear light.
  private boolean grey() {
    return image.getColorModel().getNumColorComponents() == 1;
  }

  private int greyAt(int y, int x) {
    Raster raster = image.getRaster();
    int sample = raster.getSample(x, y, 0);
    int bits = image.getColorModel().getComponentSize(0);
    return (int) Math.rint(sample * 255.0 / ((1 << bits) - 1));
  }

  private static void require(boolean holds, String where, String expected, String got) {
    if (!holds) {
      throw new DataException(problem(where, expected, got));
    }
  }

  private static Problem problem(String where, String expected, String got) {
    return new Problem("PNG file", where, expected, got, "Save the picture anew.");
  }
}
