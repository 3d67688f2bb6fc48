package dev.halfcell.cpu.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The compiled kernels, for tests that read what they do in vectors. */
final class KernelClasses {
  private KernelClasses() {}

  /** All of the package. */
  static List<ClassModel> all() {
    try (Stream<Path> files = Files.list(file(Kernel.class).getParent())) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(KernelClasses::parsed)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A single one. */
  static ClassModel of(Class<?> type) {
    return parsed(file(type));
  }

  private static Path file(Class<?> type) {
    try {
      return Path.of(type.getResource(type.getSimpleName() + ".class").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ClassModel parsed(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
