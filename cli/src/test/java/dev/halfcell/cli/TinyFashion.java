package dev.halfcell.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** A data set in Fashion-MNIST's format whose classes differ by their brightness. */
public final class TinyFashion {
  static final int TRAIN = 40;
  static final int TEST = 16;

  private static final int PIXELS = 28 * 28;
  private static final int LABELS_MAGIC = 2049;
  private static final int IMAGES_MAGIC = 2051;

  private TinyFashion() {}

  /** Writes the four files into a folder and gives the folder. */
  public static Path write(Path folder) throws IOException {
    return write(folder, TRAIN, TEST);
  }

  /** The same with so many samples of each kind. */
  public static Path write(Path folder, int train, int test) throws IOException {
    Random random = new Random(5);
    part(folder, "train", train, random);
    part(folder, "t10k", test, random);
    return folder;
  }

  /** The same, each file packed by gzip. */
  static Path writePacked(Path folder, int train, int test) throws IOException {
    for (Path file : files(write(folder, train, test))) {
      Path packed = folder.resolve(file.getFileName() + ".gz");
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
        Files.copy(file, out);
      }
      Files.delete(file);
    }
    return folder;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static void part(Path folder, String name, int samples, Random random)
      throws IOException {
    ByteBuffer labels = ByteBuffer.allocate(8 + samples).putInt(LABELS_MAGIC).putInt(samples);
    ByteBuffer images = ByteBuffer.allocate(16 + samples * PIXELS).putInt(IMAGES_MAGIC);
    images.putInt(samples).putInt(28).putInt(28);
    for (int sample = 0; sample < samples; sample++) {
      int label = sample % 10;
      labels.put((byte) label);
      for (int pixel = 0; pixel < PIXELS; pixel++) {
        images.put((byte) (label * 25 + random.nextInt(20)));
      }
    }
    Files.write(folder.resolve(name + "-labels-idx1-ubyte"), labels.array());
    Files.write(folder.resolve(name + "-images-idx3-ubyte"), images.array());
  }
}
