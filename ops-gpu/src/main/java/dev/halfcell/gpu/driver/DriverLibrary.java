package dev.halfcell.gpu.driver;

import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Properties;
import jcuda.driver.JCudaDriver;

/**
 * Loads JCuda's native library and, through it, the driver. JCuda unpacks its library into {@code
 * java.io.tmpdir} under a fixed name and opens what it finds there, so that a half-written or a
 * planted file would be opened; here it unpacks into a folder that only this process sees.
 */
final class DriverLibrary {
  private static final String TEMPORARY = "java.io.tmpdir";

  private DriverLibrary() {}

  /**
   * Loads it, once for a process; further calls do nothing.
   *
   * @param driver a file to take for {@code libcuda.so.1}; none for the one of the system
   * @throws DriverMissingException where there is none, or one that cannot be opened
   */
  static void load(Optional<Path> driver) {
    synchronized (DriverLibrary.class) {
      try {
        driver.ifPresent(file -> System.load(file.toAbsolutePath().toString()));
        inPrivateFolder(() -> JCudaDriver.setLogLevel(jcuda.LogLevel.LOG_QUIET));
      } catch (LinkageError | RuntimeException e) {
        throw missing(driver, e);
      }
    }
  }

  private static DriverMissingException missing(Optional<Path> driver, Throwable cause) {
    return new DriverMissingException(
        new Problem(
            "gpu",
            driver.map(Path::toString).orElse("libcuda.so.1"),
            "an NVIDIA driver",
            "none that can be opened (" + firstLine(cause) + ")",
            "Install driver 525 or newer, or train with --device cpu."),
        cause);
  }

  private static String firstLine(Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    return text.lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .orElse(cause.toString())
        .strip();
  }

  private static void inPrivateFolder(Runnable load) {
    Properties properties = System.getProperties();
    Object before = properties.get(TEMPORARY);
    Path folder = privateFolder();
    try {
      properties.put(TEMPORARY, folder.toString());
      load.run();
    } finally {
      properties.put(TEMPORARY, before);
      delete(folder);
    }
  }

  /** Readable by its owner alone, as all temporary folders of Java are. */
  private static Path privateFolder() {
    try {
      return Files.createTempDirectory("halfcell-gpu");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An opened library stays when its file goes. */
  private static void delete(Path folder) {
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }
          });
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
