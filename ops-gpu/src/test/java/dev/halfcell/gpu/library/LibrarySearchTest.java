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
  private static final LibraryFile PRODUCTS = new LibraryFile("libcublasLt", List.of(13, 12));
  private static final LibraryFile CONVOLUTIONS = new LibraryFile("libcudnn_graph", List.of(9));

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
    assertEquals(List.of(newer, older, second), search.candidates(PRODUCTS));
  }

  @Test
  void withoutFoldersNothingIsLookedFor() {
    LibrarySearch search = LibrarySearch.of(Optional.of(List.of()), System.getenv());
    assertEquals(List.of(), search.candidates(PRODUCTS));
    assertEquals("no library is looked for", search.missing(PRODUCTS));
  }

  @Test
  void theLoaderIsAskedFirst() {
    LibrarySearch search = LibrarySearch.of(Optional.empty(), Map.of());
    assertEquals(
        List.of("libcublasLt.so.13", "libcublasLt.so.12"),
        search.candidates(PRODUCTS).subList(0, 2));
  }

  @Test
  void packagesOfPythonAreFound() throws IOException {
    String path = python("system/bin/python3");
    String thirteen = file("env/lib/python3.11/site-packages/nvidia/cu13/lib/libcublasLt.so.13");
    String twelve =
        file("system/local/lib/python3.11/dist-packages/nvidia/cublas/lib/libcublasLt.so.12");
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
    List<String> found = search.candidates(PRODUCTS);
    assertTrue(found.indexOf(home) > 1, found::toString);
    assertTrue(found.indexOf(thirteen) > found.indexOf(home), found::toString);
    assertTrue(found.indexOf(twelve) > found.indexOf(thirteen), found::toString);
  }

  @Test
  void eachLibraryHasNamesOfItsOwn() throws IOException {
    String cudnn = file("a/libcudnn_graph.so.9");
    file("a/libcudnn_graph.so.8");
    LibrarySearch there = LibrarySearch.of(Optional.of(List.of(folder.resolve("a"))), Map.of());
    assertEquals(List.of(cudnn), there.candidates(CONVOLUTIONS));
    LibrarySearch anywhere =
        LibrarySearch.of(Optional.empty(), Map.of("VIRTUAL_ENV", folder.resolve("env").toString()));
    assertEquals(
        "no libcudnn_graph.so.9 known to the loader, under /usr/local/cuda or beside a Python",
        anywhere.missing(CONVOLUTIONS));
    String beside = file("env/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn_graph.so.9");
    LibrarySearch again =
        LibrarySearch.of(Optional.empty(), Map.of("VIRTUAL_ENV", folder.resolve("env").toString()));
    assertTrue(again.candidates(CONVOLUTIONS).contains(beside), () -> "" + again.folders());
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
    assertTrue(search.candidates(PRODUCTS).contains(library), () -> "" + search.folders());
  }
}
