package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * Where a page ended: what the list is sorted by, of the last job on it. What came in meanwhile
 * moves no later page.
 *
 * @param rank minus its priority
 * @param createdAt when it was accepted, in nanoseconds
 */
record PageCursor(int rank, long createdAt, String id) {
  private static final int ID = 16;
  private static final int LENGTH = Integer.BYTES + Long.BYTES + ID + Integer.BYTES;

  static PageCursor of(JobSummary last) {
    return new PageCursor(
        -last.description().priority(), Nanos.of(last.createdAt()), last.id().text());
  }

  /** As a text that only the list it came from takes again. */
  String text(JobQuery query) {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    bytes.putInt(rank).putLong(createdAt).put(HexFormat.of().parseHex(id));
    bytes.putInt(checksum(bytes, query));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /** That of a text that somebody sent. */
  static PageCursor parse(String text, JobQuery query) {
    ByteBuffer bytes = ByteBuffer.wrap(decoded(text));
    if (bytes.capacity() != LENGTH) {
      throw refused();
    }
    int rank = bytes.getInt();
    long createdAt = bytes.getLong();
    byte[] id = new byte[ID];
    bytes.get(id);
    PageCursor cursor = new PageCursor(rank, createdAt, HexFormat.of().formatHex(id));
    if (!cursor.text(query).equals(text)) { // its checksum, and nothing else that decodes to it
      throw refused();
    }
    return cursor;
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      throw refused();
    }
  }

  /** Of the bytes before the buffer's position, and of all that makes one list and not another. */
  private static int checksum(ByteBuffer bytes, JobQuery query) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().flip());
    crc.update(
        Json.write(
                new Object[] {
                  query.owner(),
                  new TreeSet<>(query.states()),
                  new TreeMap<>(query.labels()),
                  query.network(),
                  query.level(),
                  query.order()
                })
            .getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  private static ArgumentException refused() {
    return new ArgumentException(
        new Problem(
            "after",
            "",
            "the `next` of a page of the same list",
            "another text",
            "Start the list again without it."));
  }
}
