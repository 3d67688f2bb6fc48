package dev.halfcell.gpu;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a backend does in another way than it was to, each line once, in the order in which it came
 * to light. Threads may share it.
 */
final class Notices {
  private final Set<String> lines = new LinkedHashSet<>();

  /** One more, unless it is known. */
  synchronized void add(String line) {
    lines.add(line);
  }

  synchronized List<String> all() {
    return List.copyOf(lines);
  }
}
