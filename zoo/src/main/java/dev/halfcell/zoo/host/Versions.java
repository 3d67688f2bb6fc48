package dev.halfcell.zoo.host;

import dev.halfcell.backend.Backend;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The versions of what a run was made with, by name. */
public final class Versions {
  private Versions() {}

  /** HalfCell's own, as its jar says it; {@code development} where it runs from class files. */
  public static String halfcell() {
    return Optional.ofNullable(Versions.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  /** Those of HalfCell, Java and a backend's libraries. */
  public static Map<String, String> with(Backend backend) {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("halfcell", halfcell());
    versions.put("java", Runtime.version().toString());
    versions.putAll(backend.versions());
    return versions;
  }
}
