package dev.halfcell.train;

import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** In what a file and the run that reads it differ: everything, before anything is read. */
public final class Differences {
  private final List<String> expected = new ArrayList<>();
  private final List<String> got = new ArrayList<>();

  /** Compares what both have under each name, and the names. */
  public Differences compare(Map<String, ?> here, Map<String, ?> file) {
    Set<String> names = new TreeSet<>(here.keySet());
    names.addAll(file.keySet());
    names.stream()
        .filter(name -> !Objects.equals(here.get(name), file.get(name)))
        .forEach(name -> add(text(name, here), text(name, file)));
    return this;
  }

  private static String text(String name, Map<String, ?> values) {
    Object value = values.get(name);
    return value == null ? "no " + name : name + " " + value;
  }

  private void add(String here, String file) {
    expected.add(here);
    got.add(file);
  }

  /**
   * Ends a reading that would not fit.
   *
   * @throws DataException with both sides of each difference, where there is any
   */
  public void refuse(String subject, Path file, String fix) {
    if (!expected.isEmpty()) {
      throw new DataException(
          new Problem(
              subject, file.toString(), String.join("; ", expected), String.join("; ", got), fix));
    }
  }
}
