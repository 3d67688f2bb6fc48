package dev.halfcell.zoo.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;

/** Makes the bytes of IDX files, right ones and wrong ones. */
final class IdxBytes {
  private IdxBytes() {}

  /** A header with this magic number and these sizes, then the elements. */
  static byte[] of(int magic, int[] sizes, byte... elements) {
    ByteBuffer file = ByteBuffer.allocate(4 + 4 * sizes.length + elements.length).putInt(magic);
    for (int size : sizes) {
      file.putInt(size);
    }
    return file.put(elements).array();
  }

  static byte[] labels(int... labels) {
    byte[] elements = new byte[labels.length];
    for (int i = 0; i < labels.length; i++) {
      elements[i] = (byte) labels[i];
    }
    return of(0x801, new int[] {labels.length}, elements);
  }

  /** Images of 28 x 28 whose pixel p of image i is i + p, modulo 256. */
  static byte[] images(int count) {
    byte[] elements = new byte[count * 784];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (byte) (i / 784 + i % 784);
    }
    return of(0x803, new int[] {count, 28, 28}, elements);
  }

  static byte[] gzip(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return packed.toByteArray();
  }
}
