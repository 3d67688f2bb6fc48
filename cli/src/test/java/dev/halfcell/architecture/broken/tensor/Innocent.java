package dev.halfcell.architecture.broken.tensor;

import java.util.List;
import tools.jackson.core.JsonParser;

/** Breaks nothing: what is foreign stays inside, what is static is constant. */
public final class Innocent {
  static final List<String> NAMES = List.of("one", "two");

  String text(JsonParser parser) {
    return parser.getString() + NAMES;
  }
}
