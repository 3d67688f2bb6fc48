package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;

/** Places in windows on the heap, between memory in UINT8 or INT32 and a loop. */
final class Places {
  final int[] values;
  private final byte[] bytes;

  /** One that a part works in. */
  static Places in(Scratch scratch, int size) {
    return scratch.take(Places.class, size, (Integer.BYTES + 1L) * size, () -> new Places(size));
  }

  private Places(int size) {
    values = new int[size];
    bytes = new byte[size];
  }

  void load(Operand operand, long index, int count) {
    long address = operand.address(index, count);
    if (operand.dtype() == DType.INT32) {
      Transfers.read(address, values, count);
      return;
    }
    Transfers.read(address, bytes, count);
    for (int i = 0; i < count; i++) {
      values[i] = bytes[i] & 0xFF;
    }
  }

  void store(Operand operand, long index, int count) {
    long address = operand.address(index, count);
    if (operand.dtype() == DType.INT32) {
      Transfers.write(values, address, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) values[i];
    }
    Transfers.write(bytes, address, count);
  }
}
