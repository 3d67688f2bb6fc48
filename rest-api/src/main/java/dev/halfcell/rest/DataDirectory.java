package dev.halfcell.rest;

import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder of a server, which one process has at a time: by a lock of the operating system, which
 * takes it back however the process ends.
 */
final class DataDirectory implements AutoCloseable {
  private static final String LOCK = ".lock";
  private static final String NAME = "server";

  private final Path path;
  private final String server;
  private final FileChannel lock;

  private DataDirectory(Path path, String server, FileChannel lock) {
    this.path = path;
    this.server = server;
    this.lock = lock;
  }

  /**
   * Takes a folder, which is made where it is missing.
   *
   * @throws ArgumentException where another process has it
   * @throws DataException where it cannot be written
   */
  static DataDirectory open(Path path) {
    try {
      Disk.local().createFolders(path);
      FileChannel lock = locked(path);
      try {
        clear(path);
        return new DataDirectory(path, name(path.resolve(NAME)), lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw DataException.unwritable("--data", path, e);
    }
  }

  /** What a process that was killed had not written to its end. */
  private static void clear(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(WholeFile::isLeftover).toList()) {
        Files.delete(file);
      }
    }
  }

  private static FileChannel locked(Path path) throws IOException {
    Path file = path.resolve(LOCK);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw inUse(path, "process " + Files.readString(file).strip());
      }
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8);
      channel.truncate(0).write(ByteBuffer.wrap(pid));
      return channel;
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw inUse(path, "another server of this process");
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static ArgumentException inUse(Path path, String by) {
    return new ArgumentException(
        new Problem(
            "--data",
            path.toString(),
            "a folder that no server uses",
            "one in use by " + by,
            "Name another folder, or end that server."));
  }

  /** The same at each start on this folder: by it a server knows the jobs of its earlier lives. */
  private static String name(Path file) throws IOException {
    if (!Files.exists(file)) {
      byte[] made = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
      WholeFile.write(Disk.local(), file, to -> to.write(MemorySegment.ofArray(made)));
    }
    return Files.readString(file);
  }

  Path path() {
    return path;
  }

  /** The server's name. */
  String server() {
    return server;
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw DataException.unwritable("--data", path, e);
    }
  }
}
