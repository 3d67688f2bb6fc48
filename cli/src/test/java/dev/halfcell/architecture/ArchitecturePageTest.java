package dev.halfcell.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** ARCHITECTURE.md names every package. */
final class ArchitecturePageTest {
  private static final Path ROOT = Path.of(System.getProperty("halfcell.root"));

  @Test
  void namesEveryPackage() throws IOException {
    String page = Files.readString(ROOT.resolve("ARCHITECTURE.md"));
    List<String> packages = packages();
    assertTrue(packages.size() > 30, packages::toString);
    assertEquals(List.of(), packages.stream().filter(name -> !names(page, name)).toList());
  }

  /** By its whole name, or without the part that all of them share. */
  private static boolean names(String page, String name) {
    return page.contains("`" + name + "`")
        || page.contains("`" + name.substring("dev.halfcell.".length()) + "`");
  }

  private static List<String> packages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.endsWith("package-info.java"))
          .map(file -> ROOT.relativize(file.getParent()).toString())
          .filter(folder -> folder.contains("src/main/java/") && !folder.contains("target/"))
          .map(folder -> folder.substring(folder.indexOf("src/main/java/") + 14).replace('/', '.'))
          .sorted()
          .toList();
    }
  }
}
