package dev.halfcell.reliability;

import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.FashionMnist;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * A folder with a data set of four IDX files, right ones until one is replaced.
 *
 * @param path where it lies
 */
record IdxFolder(Path path) {
  static final String IMAGES = "train-images-idx3-ubyte";
  static final String LABELS = "train-labels-idx1-ubyte";

  static IdxFolder of(Path path) throws IOException {
    IdxFolder folder = new IdxFolder(path);
    folder.put(IMAGES, images(3));
    folder.put(LABELS, labels(0, 9, 2));
    folder.put("t10k-images-idx3-ubyte", images(1));
    folder.put("t10k-labels-idx1-ubyte", labels(4));
    return folder;
  }

  void put(String name, byte[] content) throws IOException {
    Files.write(path.resolve(name), content);
  }

  Path take(String name) throws IOException {
    Files.deleteIfExists(path.resolve(name));
    return path.resolve(name);
  }

  DataSplit open() {
    return FashionMnist.open(Optional.of(path.toString()));
  }

  static byte[] images(int count) {
    byte[] pixels = new byte[count * 28 * 28];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) (i * 7);
    }
    return idx(0x803, new int[] {count, 28, 28}, pixels);
  }

  static byte[] labels(int... labels) {
    byte[] bytes = new byte[labels.length];
    for (int i = 0; i < labels.length; i++) {
      bytes[i] = (byte) labels[i];
    }
    return idx(0x801, new int[] {labels.length}, bytes);
  }

  static byte[] idx(int magic, int[] sizes, byte[] elements) {
    ByteBuffer file = ByteBuffer.allocate(4 + 4 * sizes.length + elements.length).putInt(magic);
    for (int size : sizes) {
      file.putInt(size);
    }
    return file.put(elements).array();
  }

  static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }
}
