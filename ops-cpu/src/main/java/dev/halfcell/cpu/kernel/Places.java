package dev.halfcell.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.halfcell.tensor.DType;
import java.lang.foreign.MemorySegment;

/** Places in windows on the heap, between memory in UINT8 or INT32 and a loop. */
final class Places {
  final int[] values;
  private final byte[] bytes;

  Places(int size) {
    values = new int[size];
    bytes = new byte[size];
  }

  void load(Operand operand, long index, int count) {
    MemorySegment from = operand.region().data();
    if (operand.dtype() == DType.INT32) {
      MemorySegment.copy(from, JAVA_INT, index * 4, values, 0, count);
      return;
    }
    MemorySegment.copy(from, JAVA_BYTE, index, bytes, 0, count);
    for (int i = 0; i < count; i++) {
      values[i] = bytes[i] & 0xFF;
    }
  }

  void store(Operand operand, long index, int count) {
    MemorySegment to = operand.region().data();
    if (operand.dtype() == DType.INT32) {
      MemorySegment.copy(values, 0, to, JAVA_INT, index * 4, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) values[i];
    }
    MemorySegment.copy(bytes, 0, to, JAVA_BYTE, index, count);
  }
}
