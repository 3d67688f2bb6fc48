package dev.halfcell.gpu.library;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where libraries are looked for.
 *
 * @param byName whether the system's loader is asked first: {@code LD_LIBRARY_PATH}, its cache, and
 *     what the process has loaded already
 * @param folders that are looked into after it, in order; some may not be there
 */
public record LibrarySearch(boolean byName, List<Path> folders) {
  public LibrarySearch {
    folders = List.copyOf(folders);
  }

  /**
   * A search.
   *
   * @param only the folders to look into and nowhere else; none for all places where NVIDIA's
   *     installers and Python's packages put libraries
   * @param environment the variables of the process
   */
  public static LibrarySearch of(Optional<List<Path>> only, Map<String, String> environment) {
    return only.map(folders -> new LibrarySearch(false, folders))
        .orElseGet(() -> new LibrarySearch(true, usual(environment)));
  }

  /** What a library is asked for by: names for the loader without a folder, and files there. */
  List<String> candidates(LibraryFile library) {
    List<String> found = new ArrayList<>();
    if (byName) {
      found.addAll(library.names());
    }
    for (Path folder : folders) {
      for (String name : library.names()) {
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
          found.add(file.toAbsolutePath().toString());
        }
      }
    }
    return found;
  }

  /** That nothing was found, in words. */
  String missing(LibraryFile library) {
    if (!byName && folders.isEmpty()) {
      return "no library is looked for";
    }
    String places = String.join(", ", folders.stream().map(Path::toString).toList());
    return "no "
        + library
        + (byName
            ? " known to the loader, under /usr/local/cuda or beside a Python"
            : " in " + places);
  }

  private static List<Path> usual(Map<String, String> environment) {
    List<Path> folders = new ArrayList<>();
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
      Optional.ofNullable(environment.get(variable))
          .filter(value -> !value.isBlank())
          .ifPresent(value -> folders.add(Path.of(value, "lib64")));
    }
    folders.add(Path.of("/usr/local/cuda/lib64"));
    for (Path packages : sitePackages(environment)) {
      folders.add(packages.resolve("nvidia/cu13/lib"));
      folders.add(packages.resolve("nvidia/cublas/lib"));
      folders.add(packages.resolve("nvidia/cudnn/lib"));
    }
    return folders;
  }

  /** The folders of packages of each Python that the process sees, newer versions first. */
  private static Set<Path> sitePackages(Map<String, String> environment) {
    Set<Path> packages = new LinkedHashSet<>();
    for (Path home : pythons(environment)) {
      for (Path python : listed(home.resolve("lib"), "python3")) {
        packages.add(python.resolve("site-packages"));
        packages.add(python.resolve("dist-packages"));
      }
      for (Path python : listed(home.resolve("local/lib"), "python3")) {
        packages.add(python.resolve("dist-packages"));
      }
    }
    packages.removeIf(folder -> !Files.isDirectory(folder.resolve("nvidia")));
    return packages;
  }

  /** What the folder "bin" of each Python lies in, as it is named and where it leads to. */
  private static Set<Path> pythons(Map<String, String> environment) {
    Set<Path> homes = new LinkedHashSet<>();
    Optional.ofNullable(environment.get("VIRTUAL_ENV"))
        .filter(value -> !value.isBlank())
        .ifPresent(value -> homes.add(Path.of(value)));
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path python = Path.of(folder, "python3");
      if (!folder.isBlank() && Files.isExecutable(python)) {
        home(python).ifPresent(homes::add);
        home(real(python)).ifPresent(homes::add);
      }
    }
    return homes;
  }

  private static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException _) {
      return file; // it went away meanwhile
    }
  }

  private static Optional<Path> home(Path python) {
    return Optional.ofNullable(python.getParent()).map(Path::getParent);
  }

  private static List<Path> listed(Path folder, String beginning) {
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> found =
          new ArrayList<>(
              entries
                  .filter(entry -> String.valueOf(entry.getFileName()).startsWith(beginning))
                  .sorted()
                  .toList());
      Collections.reverse(found);
      return found;
    } catch (IOException _) {
      return List.of(); // no such folder, or one that may not be read
    }
  }
}
