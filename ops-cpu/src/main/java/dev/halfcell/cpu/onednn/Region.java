package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory of a known size whose place is decided later: kernels are made over regions, then a plan
 * lays the regions out and tells them where they are.
 */
public final class Region {
  private final long bytes;
  private MemorySegment place = MemorySegment.NULL;
  private long address;

  /** Room for this many bytes. */
  public Region(long bytes) {
    this.bytes = bytes;
  }

  /** The room it takes. */
  public long bytes() {
    return bytes;
  }

  /** Says where it is, outside the heap; may be said again. */
  public void place(MemorySegment memory) {
    if (memory.byteSize() < bytes) {
      throw new UsageException(
          new Problem("Region", "", bytes + " bytes", memory.byteSize() + " bytes", ""));
    }
    if (!memory.isNative()) {
      throw new UsageException(
          new Problem(
              "Region",
              "",
              "memory outside the heap",
              "an array of Java",
              "Make the tensor in a TensorScope, or copy it into one."));
    }
    place = memory;
    address = memory.address();
  }

  /**
   * Where {@code count} bytes lie from {@code offset} on.
   *
   * @throws IndexOutOfBoundsException where there are not so many
   */
  public long address(long offset, long count) {
    return address + Objects.checkFromIndexSize(offset, count, place.byteSize());
  }

  /** The memory. Before it is placed this is empty. */
  public MemorySegment data() {
    return place;
  }
}
