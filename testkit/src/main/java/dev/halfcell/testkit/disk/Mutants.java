package dev.halfcell.testkit.disk;

import dev.halfcell.disk.Disk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Writers with one mistake each, as a layer between the right writer and the disk: what a test of
 * crashes has to find.
 */
public enum Mutants {
  /** What a file's name stood for is deleted before the new file takes it. */
  DELETES_BEFORE_RENAMING {
    @Override
    void rename(Disk disk, Path from, Path to) throws IOException {
      disk.delete(to);
      disk.rename(from, to);
    }
  },
  /** Older checkpoints make room before the new one is written. */
  DELETES_BEFORE_WRITING {
    @Override
    Disk.Output create(Disk disk, Path file) throws IOException {
      for (Path old : disk.list(file.resolveSibling(""))) {
        disk.delete(old);
      }
      return disk.create(file);
    }
  },
  /** Older checkpoints are deleted while the name of the new one is not on the disk. */
  NEVER_FORCES_FOLDERS {
    @Override
    void force(Disk disk, Path folder) {}
  },
  /** A file takes its name while its contents are not on the disk. */
  NEVER_FORCES_FILES {
    @Override
    void force(Disk.Output file) {}
  };

  Disk.Output create(Disk disk, Path file) throws IOException {
    return disk.create(file);
  }

  void rename(Disk disk, Path from, Path to) throws IOException {
    disk.rename(from, to);
  }

  void force(Disk disk, Path folder) throws IOException {
    disk.force(folder);
  }

  void force(Disk.Output file) throws IOException {
    file.force();
  }

  /** A disk that is written with this mistake. */
  public Disk over(Disk disk) {
    return new Mistaken(this, disk);
  }

  private static final class Mistaken extends ForwardingDisk {
    private final Mutants how;
    private final Disk disk;

    Mistaken(Mutants how, Disk disk) {
      super(disk);
      this.how = how;
      this.disk = disk;
    }

    @Override
    public Output create(Path file) throws IOException {
      return new Written(how, how.create(disk, file));
    }

    @Override
    public Output append(Path file) throws IOException {
      return new Written(how, disk.append(file));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      how.rename(disk, from, to);
    }

    @Override
    public void force(Path folder) throws IOException {
      how.force(disk, folder);
    }
  }

  private record Written(Mutants how, Disk.Output file) implements Disk.Output {
    @Override
    public void write(MemorySegment bytes) throws IOException {
      file.write(bytes);
    }

    @Override
    public void force() throws IOException {
      how.force(file);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
