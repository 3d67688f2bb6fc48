package dev.halfcell.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Bytes before and behind pieces of memory, which nobody has a right to write. */
final class Guards {
  private static final byte GUARD = (byte) 0xA5;
  private static final byte NAN = (byte) 0xFF; // of all bytes, a NaN in every floating type

  private final List<MemorySegment> guards = new CopyOnWriteArrayList<>();

  /** Memory full of NaN between two guards. */
  MemorySegment between(Arena arena, long bytes, long alignment) {
    MemorySegment whole = arena.allocate(bytes + 2 * alignment, alignment);
    MemorySegment inside = whole.asSlice(alignment, bytes);
    inside.fill(NAN);
    guards.add(whole.asSlice(0, alignment).fill(GUARD));
    guards.add(whole.asSlice(alignment + bytes).fill(GUARD));
    return inside;
  }

  /** Throws where a guard was written. */
  void check() {
    for (MemorySegment guard : guards) {
      for (long at = 0; at < guard.byteSize(); at++) {
        if (guard.get(ValueLayout.JAVA_BYTE, at) != GUARD) {
          throw new UsageException(
              new Problem(
                  "TensorScope",
                  "",
                  "memory around tensors as it was",
                  "a byte written outside of every tensor",
                  "A kernel writes out of bounds; please report it."));
        }
      }
    }
  }
}
