package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a known size whose place is decided later: kernels are made over regions, then a plan
 * lays the regions out and tells them where they are.
 */
public final class Region {
  private final long bytes;
  private MemorySegment place = MemorySegment.NULL;

  /** Room for this many bytes. */
  public Region(long bytes) {
    this.bytes = bytes;
  }

  /** The room it takes. */
  public long bytes() {
    return bytes;
  }

  /** Says where it is; may be said again. */
  public void place(MemorySegment memory) {
    if (memory.byteSize() < bytes) {
      throw new UsageException(
          new Problem("Region", "", bytes + " bytes", memory.byteSize() + " bytes", ""));
    }
    place = memory;
  }

  /** The memory. Before it is placed this is empty. */
  public MemorySegment data() {
    return place;
  }
}
