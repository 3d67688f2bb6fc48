package dev.halfcell.zoo.data;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Bytes outside the heap, freed once nobody refers to them any more. Immutable; threads may share
 * them.
 */
final class NativeBytes {
  /** What is taken at a time: never more than this for bytes that do not come. */
  static final int CHUNK = 1 << 20;

  // A part of a chunk, so that nothing of a buffer has to go into two.
  private static final int BUFFER = CHUNK >> 4;

  private final List<MemorySegment> chunks;
  private final long size;

  private NativeBytes(List<MemorySegment> chunks, long size) {
    this.chunks = List.copyOf(chunks);
    this.size = size;
  }

  /** The next {@code most} bytes of a stream, or as many as there are. */
  static NativeBytes read(InputStream in, long most) throws IOException {
    Arena arena = Arena.ofAuto();
    List<MemorySegment> chunks = new ArrayList<>();
    byte[] buffer = new byte[BUFFER];
    long size = 0;
    int got;
    do {
      got = in.readNBytes(buffer, 0, (int) Math.min(BUFFER, most - size));
      if (got > 0 && size % CHUNK == 0) {
        chunks.add(arena.allocate(Math.min(CHUNK, most - size)));
      }
      if (got > 0) {
        MemorySegment to = chunks.getLast();
        MemorySegment.copy(buffer, 0, to, ValueLayout.JAVA_BYTE, size % CHUNK, got);
      }
      size += got;
    } while (got == BUFFER);
    return new NativeBytes(chunks, size);
  }

  long size() {
    return size;
  }

  /** An unsigned byte. */
  int at(long index) {
    Objects.checkIndex(index, size);
    return chunk(index).get(ValueLayout.JAVA_BYTE, index % CHUNK) & 0xFF;
  }

  /** Fills an array with the bytes from {@code from} on. */
  void copy(long from, byte[] to) {
    Objects.checkFromIndexSize(from, to.length, size);
    for (int done = 0; done < to.length; ) {
      long at = from + done;
      int count = Math.min(to.length - done, CHUNK - (int) (at % CHUNK));
      MemorySegment.copy(chunk(at), ValueLayout.JAVA_BYTE, at % CHUNK, to, done, count);
      done += count;
    }
  }

  /** Adds {@code count} bytes from {@code from} on to a sum. */
  void addTo(MessageDigest sum, long from, long count) {
    Objects.checkFromIndexSize(from, count, size);
    for (long at = from; at < from + count; at += CHUNK - at % CHUNK) {
      long here = Math.min(from + count - at, CHUNK - at % CHUNK);
      sum.update(chunk(at).asSlice(at % CHUNK, here).asByteBuffer());
    }
  }

  private MemorySegment chunk(long index) {
    return chunks.get((int) (index / CHUNK));
  }
}
