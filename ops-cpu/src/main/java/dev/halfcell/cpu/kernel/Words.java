package dev.halfcell.cpu.kernel;

/**
 * Bits of elements as they are in memory, four bytes in a word, on the heap. One thread.
 *
 * @param words the words
 */
record Words(int[] words) {
  Words(int count) {
    this(new int[count]);
  }

  /** Fetches {@code count} elements of an operand from position {@code index} on. */
  void load(Operand from, long index, int count) {
    Transfers.readBytes(from.address(index, count), words, from.dtype().bytes() * count);
  }

  /** Puts {@code count} elements at position {@code index} of an operand. */
  void store(Operand to, long index, int count) {
    Transfers.writeBytes(words, to.address(index, count), to.dtype().bytes() * count);
  }
}
