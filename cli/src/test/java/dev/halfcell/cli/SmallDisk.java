package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A file system of its own, so small that a test can fill it. */
record SmallDisk(Path folder) implements AutoCloseable {
  /** Skips the test where this user may not mount. */
  static SmallDisk mount(Path folder, String size) throws IOException, InterruptedException {
    boolean root = "root".equals(System.getProperty("user.name"));
    int code =
        root ? run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()) : 1;
    assumeTrue(code == 0, "skipped: only root, where it may mount, can make a small disk");
    return new SmallDisk(folder);
  }

  private Path filler() {
    return folder.resolve("filler");
  }

  /** Takes all the room that is left. */
  void fill() throws IOException {
    for (int block : List.of(1 << 20, 1 << 12, 1)) {
      try (OutputStream out =
          Files.newOutputStream(filler(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        while (true) {
          out.write(new byte[block]);
        }
      } catch (IOException e) {
        if (!String.valueOf(e.getMessage()).contains("No space left")) {
          throw e;
        }
      }
    }
  }

  void free() throws IOException {
    Files.deleteIfExists(filler());
  }

  /** From now on a folder of it cannot be written by a new way, or again can. */
  static void readOnly(Path folder, boolean now) throws IOException, InterruptedException {
    if (now) {
      assertEquals(0, run("mount", "--bind", folder.toString(), folder.toString()));
      assertEquals(0, run("mount", "-o", "remount,bind,ro", folder.toString()));
    } else {
      assertEquals(0, run("umount", "-l", folder.toString()));
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    assertEquals(0, run("umount", "-l", folder.toString()));
  }
}
