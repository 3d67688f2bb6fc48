package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.lang.foreign.MemorySegment;

/** Places in windows on the heap, between memory in UINT8 or INT32 and a loop. */
final class Places {
  final int[] values;
  private final byte[] bytes;
  private final MemorySegment valuesInMemory;
  private final MemorySegment bytesInMemory;

  /** One that a part works in. */
  static Places in(Scratch scratch, int size) {
    return scratch.take(Places.class, size, (Integer.BYTES + 1L) * size, () -> new Places(size));
  }

  private Places(int size) {
    values = new int[size];
    bytes = new byte[size];
    valuesInMemory = MemorySegment.ofArray(values);
    bytesInMemory = MemorySegment.ofArray(bytes);
  }

  void load(Operand operand, long index, int count) {
    MemorySegment from = operand.region().data();
    if (operand.dtype() == DType.INT32) {
      MemorySegment.copy(from, index * 4, valuesInMemory, 0, 4L * count);
      return;
    }
    MemorySegment.copy(from, index, bytesInMemory, 0, count);
    for (int i = 0; i < count; i++) {
      values[i] = bytes[i] & 0xFF;
    }
  }

  void store(Operand operand, long index, int count) {
    MemorySegment to = operand.region().data();
    if (operand.dtype() == DType.INT32) {
      MemorySegment.copy(valuesInMemory, 0, to, index * 4, 4L * count);
      return;
    }
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) values[i];
    }
    MemorySegment.copy(bytesInMemory, 0, to, index, count);
  }
}
