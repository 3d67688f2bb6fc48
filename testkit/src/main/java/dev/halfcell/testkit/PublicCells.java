package dev.halfcell.testkit;

import dev.halfcell.nn.Cell;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The cells of {@code dev.halfcell.nn}, found among its class files. */
final class PublicCells {
  private static final String PACKAGE = Cell.class.getPackageName();

  private PublicCells() {}

  /** All classes that a user can make a cell of. */
  static List<Class<?>> all() throws IOException, URISyntaxException, ClassNotFoundException {
    Path place = Path.of(Cell.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return in(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return in(jar.getPath("/"));
    }
  }

  private static List<Class<?>> in(Path root) throws IOException, ClassNotFoundException {
    List<String> names;
    try (Stream<Path> files = Files.list(root.resolve(PACKAGE.replace('.', '/')))) {
      names =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
              .map(name -> PACKAGE + "." + name.substring(0, name.length() - ".class".length()))
              .sorted()
              .toList();
    }
    Stream.Builder<Class<?>> cells = Stream.builder();
    for (String name : names) {
      Class<?> type = Class.forName(name, false, Cell.class.getClassLoader());
      if (Cell.class.isAssignableFrom(type)
          && Modifier.isPublic(type.getModifiers())
          && !Modifier.isAbstract(type.getModifiers())) {
        cells.add(type);
      }
    }
    return cells.build().toList();
  }
}
