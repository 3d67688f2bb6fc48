package dev.halfcell.gpu.library;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The file of a library.
 *
 * @param stem its name without the version: {@code libcublasLt}
 * @param majors the major versions that are served, the best first
 */
record LibraryFile(String stem, List<Integer> majors) {
  LibraryFile {
    majors = List.copyOf(majors);
  }

  /** What it may be called, the best first. */
  List<String> names() {
    return majors.stream().map(major -> stem + ".so." + major).toList();
  }

  @Override
  public String toString() {
    String others =
        majors.stream().skip(1).map(major -> " or ." + major).collect(Collectors.joining());
    return names().getFirst() + others;
  }
}
