package dev.halfcell.verify;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which attributes a file has: one that is not known may change what is to be computed. */
record Attributes(GoldenFile file) {
  private static final Set<String> ALWAYS = Set.of("op", "note");

  /** The file, if it has none but these. */
  Optional<GoldenFile> only(String... known) {
    return only(Map.of(), known);
  }

  /** The file, if it has none but these, and those of {@code fixed} have the values given there. */
  Optional<GoldenFile> only(Map<String, String> fixed, String... known) {
    Set<String> unknown = new HashSet<>(file.attributes());
    unknown.removeAll(ALWAYS);
    unknown.removeAll(fixed.keySet());
    Arrays.asList(known).forEach(unknown::remove);
    boolean same =
        fixed.entrySet().stream()
            .allMatch(e -> file.attribute(e.getKey()).equals(Optional.of(e.getValue())));
    return unknown.isEmpty() && same ? Optional.of(file) : Optional.empty();
  }
}
