package dev.halfcell.zoo.run;

import dev.halfcell.disk.Disk;
import dev.halfcell.testkit.disk.ForwardingDisk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** The disk of this machine, which counts what is read of it. One thread. */
final class CountingDisk extends ForwardingDisk {
  private long read;
  private long largest;

  CountingDisk() {
    super(Disk.local());
  }

  /** How many bytes were read. */
  long read() {
    return read;
  }

  /** The most of them that were asked for at once. */
  long largest() {
    return largest;
  }

  @Override
  public Input open(Path file) throws IOException {
    return new Counted(super.open(file));
  }

  private final class Counted implements Input {
    private final Input file;

    Counted(Input file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public long read(long from, MemorySegment to) throws IOException {
      long count = file.read(from, to);
      read += count;
      largest = Math.max(largest, to.byteSize());
      return count;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
