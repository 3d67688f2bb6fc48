package dev.halfcell.zoo.run;

import dev.halfcell.disk.Disk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/** The disk of this machine, which counts what is read of it. One thread. */
final class CountingDisk implements Disk {
  private final Disk disk = Disk.local();
  private long read;
  private long largest;

  /** How many bytes were read. */
  long read() {
    return read;
  }

  /** The most of them that were asked for at once. */
  long largest() {
    return largest;
  }

  @Override
  public Output create(Path file) throws IOException {
    return disk.create(file);
  }

  @Override
  public Output append(Path file) throws IOException {
    return disk.append(file);
  }

  @Override
  public Input open(Path file) throws IOException {
    return new Counted(disk.open(file));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    disk.delete(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    return disk.list(folder);
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    disk.createFolder(folder);
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    disk.createFolders(folder);
  }

  @Override
  public void force(Path folder) throws IOException {
    disk.force(folder);
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
