package dev.halfcell.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Writes a file so that, whatever happens meanwhile, its name stands for all of the old contents or
 * all of the new ones: into a file beside it, which takes its name when all of it is on the disk.
 * When {@link #write} returns, a crash does not undo it.
 */
public final class WholeFile {
  private static final String PARTIAL = ".partial";

  private WholeFile() {}

  /** What a file is to hold. */
  @FunctionalInterface
  public interface Contents {
    /** Writes all of it. */
    void writeTo(Disk.Output to) throws IOException;
  }

  /** Gives a file these contents. */
  public static void write(Disk disk, Path file, Contents contents) throws IOException {
    Path partial = partial(file);
    try {
      try (Disk.Output to = disk.create(partial)) {
        contents.writeTo(to);
        to.force();
      }
      disk.rename(partial, file);
    } catch (IOException | RuntimeException e) {
      deleteAfter(e, disk, partial);
      throw e;
    }
    disk.force(folder(file));
  }

  private static void deleteAfter(Exception failure, Disk disk, Path partial) {
    try {
      disk.delete(partial);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static Path partial(Path file) {
    String name = "." + name(file) + "." + ProcessHandle.current().pid() + PARTIAL;
    return folder(file).resolve(name);
  }

  private static Path folder(Path file) {
    return file.toAbsolutePath().resolveSibling("");
  }

  private static String name(Path file) {
    return Objects.requireNonNull(file.getFileName(), "a file has a name").toString();
  }

  /** Whether this is what a crash has left of a file that was being written. */
  public static boolean isLeftover(Path file) {
    return name(file).startsWith(".") && name(file).endsWith(PARTIAL);
  }
}
