package dev.halfcell.gpu.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where libraries are found. */
final class LibrarySearchTest {
  private static final String STEM = "libcublasLt";

  @TempDir Path folder;

  private String file(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    return Files.writeString(file, "").toString();
  }

  private String python(String name) throws IOException {
    Path python = Path.of(file(name));
    assertTrue(python.toFile().setExecutable(true));
    return String.valueOf(python.getParent());
  }

  @Test
  void namedFoldersAreTheOnlyOnesAndTheNewerLibraryGoesFirst() throws IOException {
    String older = file("a/libcublasLt.so.12");
    String newer = file("a/libcublasLt.so.13");
    String second = file("b/libcublasLt.so.13");
    file("b/libcublasLt.so.11");
    LibrarySearch search =
        LibrarySearch.of(
            Optional.of(List.of(folder.resolve("a"), folder.resolve("none"), folder.resolve("b"))),
            System.getenv());
    assertEquals(List.of(newer, older, second), search.candidates(STEM));
  }

  @Test
  void withoutFoldersNothingIsLookedFor() {
    LibrarySearch search = LibrarySearch.of(Optional.of(List.of()), System.getenv());
    assertEquals(List.of(), search.candidates(STEM));
    assertEquals("no library is looked for", search.missing(STEM));
  }

  @Test
  void theLoaderIsAskedFirst() {
    LibrarySearch search = LibrarySearch.of(Optional.empty(), Map.of());
    assertEquals(
        List.of("libcublasLt.so.13", "libcublasLt.so.12"), search.candidates(STEM).subList(0, 2));
  }

  @Test
  void packagesOfPythonAreFound() throws IOException {
    String path = python("system/bin/python3");
    String thirteen = file("env/lib/python3.11/site-packages/nvidia/cu13/lib/libcublasLt.so.13");
    String twelve = file("system/local/lib/python3.11/dist-packages/nvidia/cublas/lib/" + STEM);
    String named = Files.move(Path.of(twelve), Path.of(twelve + ".so.12")).toString();
    String home = file("cuda/lib64/libcublasLt.so.12");
    LibrarySearch search =
        LibrarySearch.of(
            Optional.empty(),
            Map.of(
                "VIRTUAL_ENV",
                folder.resolve("env").toString(),
                "PATH",
                "/nowhere" + File.pathSeparator + path,
                "CUDA_HOME",
                folder.resolve("cuda").toString()));
    List<String> found = search.candidates(STEM);
    assertTrue(found.indexOf(home) > 1, found::toString);
    assertTrue(found.indexOf(thirteen) > found.indexOf(home), found::toString);
    assertTrue(found.indexOf(named) > found.indexOf(thirteen), found::toString);
  }

  @Test
  void aPythonThatIsALinkIsFollowed() throws IOException {
    python("real/bin/python3");
    String library = file("real/lib/python3.12/site-packages/nvidia/cu13/lib/libcublasLt.so.13");
    Path link = folder.resolve("links/python3");
    Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(link, folder.resolve("real/bin/python3"));
    LibrarySearch search =
        LibrarySearch.of(Optional.empty(), Map.of("PATH", folder.resolve("links").toString()));
    assertTrue(search.candidates(STEM).contains(library), () -> "" + search.folders());
  }
}
