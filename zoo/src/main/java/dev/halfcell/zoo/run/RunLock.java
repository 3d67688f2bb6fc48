package dev.halfcell.zoo.run;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds the folder of a run for one run of one process, by a lock of the operating system on {@code
 * .lock} in it: however the process ends, the folder is free again. The file stays, and means
 * nothing while no process has locked it.
 */
final class RunLock implements AutoCloseable {
  /** The file's name. */
  static final String NAME = ".lock";

  // The system's locks are those of a process: it gives them up as soon as the process closes the
  // file anywhere, so a second attempt of this one must not even open it.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel file;

  private RunLock(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
  }

  /**
   * Takes the folder until this is closed.
   *
   * @throws ArgumentException where another run has it, naming its process
   * @throws DataException where the folder cannot be written, or has something else of that name
   */
  static RunLock take(Path path) {
    Path lock = path.resolve(NAME);
    try {
      Path folder = path.toRealPath();
      if (!HELD.add(folder)) {
        throw inUse(path, "another run of this process");
      }
      try {
        return new RunLock(folder, locked(path, lock));
      } catch (IOException | RuntimeException e) {
        HELD.remove(folder);
        throw e;
      }
    } catch (IOException e) {
      throw DataException.unwritable("run", lock, e);
    }
  }

  private static FileChannel locked(Path path, Path lock) throws IOException {
    requireFile(lock);
    FileChannel file =
        FileChannel.open(
            lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      if (file.tryLock() == null) {
        String pid = Files.readString(lock).strip();
        throw inUse(path, pid.isEmpty() ? "another process" : "process " + pid);
      }
      byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8);
      file.truncate(0).write(ByteBuffer.wrap(pid));
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** A folder may be from elsewhere: a link would empty another file, a pipe be waited for. */
  private static void requireFile(Path lock) throws IOException {
    if (Files.exists(lock, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(lock.toString(), null, "not a regular file");
    }
  }

  private static ArgumentException inUse(Path path, String by) {
    return new ArgumentException(
        new Problem(
            "run",
            path.toString(),
            "a folder that no run writes into",
            "one that " + by + " writes into",
            "Wait for its end, or end it; or name another folder."));
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw DataException.unwritable("run", folder.resolve(NAME), e);
    } finally {
      HELD.remove(folder);
    }
  }
}
