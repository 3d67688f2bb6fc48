package dev.halfcell.cpu.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Bits of elements as they are in memory, four bytes in a word, on the heap. One thread.
 *
 * @param words the words
 * @param memory the same as a segment
 */
record Words(int[] words, MemorySegment memory) {
  Words(int count) {
    this(new int[count]);
  }

  private Words(int[] words) {
    this(words, MemorySegment.ofArray(words));
  }

  /** Fetches {@code count} elements of an operand from position {@code index} on. */
  void load(Operand from, long index, int count) {
    long bytes = from.dtype().bytes();
    MemorySegment.copy(from.region().data(), index * bytes, memory, 0, count * bytes);
  }

  /** Puts {@code count} elements at position {@code index} of an operand. */
  void store(Operand to, long index, int count) {
    long bytes = to.dtype().bytes();
    MemorySegment.copy(memory, 0, to.region().data(), index * bytes, count * bytes);
  }
}
