package dev.halfcell.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The file system of this machine. */
record LocalDisk() implements Disk {
  private static final long CHUNK = 1 << 28;

  @Override
  public Output create(Path file) throws IOException {
    return output(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  @Override
  public Output append(Path file) throws IOException {
    return output(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static Output output(Path file, OpenOption... how) throws IOException {
    return new Written(FileChannel.open(file, how));
  }

  @Override
  public Input open(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "not a regular file");
    }
    return new Read(FileChannel.open(file, StandardOpenOption.READ));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    Path missing = folder.toAbsolutePath();
    if (!Files.isDirectory(missing)) {
      Files.createDirectory(missing);
      force(missing.resolveSibling(""));
    }
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    Path missing = folder.toAbsolutePath();
    Path around = missing.getParent();
    if (Files.isDirectory(missing) || around == null) {
      return;
    }
    createFolders(around);
    Files.createDirectories(missing);
    force(around);
  }

  @Override
  public void force(Path folder) throws IOException {
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  private record Written(FileChannel channel) implements Output {
    @Override
    public void write(MemorySegment bytes) throws IOException {
      for (long done = 0; done < bytes.byteSize(); done += CHUNK) {
        ByteBuffer part = chunk(bytes, done);
        while (part.hasRemaining()) {
          channel.write(part);
        }
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private record Read(FileChannel channel) implements Input {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public long read(long from, MemorySegment to) throws IOException {
      long done = 0;
      while (done < to.byteSize()) {
        int count = channel.read(chunk(to, done), from + done);
        if (count < 0) {
          return done;
        }
        done += count;
      }
      return done;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** A buffer can be no longer than an int says. */
  private static ByteBuffer chunk(MemorySegment bytes, long from) {
    return bytes.asSlice(from, Math.min(CHUNK, bytes.byteSize() - from)).asByteBuffer();
  }
}
