package dev.halfcell.zoo.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * TensorFlow's records: each its length (8 bytes, little-endian), the masked CRC-32C of those, its
 * bytes, and the masked CRC-32C of these.
 *
 * <p>Source: TensorFlow, guide "TFRecord and tf.train.Example", section "TFRecords format details".
 */
final class RecordFrame {
  private static final int MASK_DELTA = 0xA282EAD8;

  private RecordFrame() {}

  /** A record as it stands in the file. */
  static byte[] framed(byte[] record) {
    byte[] length =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(record.length)
            .array();
    return ByteBuffer.allocate(Long.BYTES + record.length + 2 * Integer.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(length)
        .putInt(masked(length))
        .put(record)
        .putInt(masked(record))
        .array();
  }

  /** A checksum of bytes that hold their own checksum would be weak, hence the mask. */
  static int masked(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return Integer.rotateRight((int) checksum.getValue(), 15) + MASK_DELTA;
  }
}
