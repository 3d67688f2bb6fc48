package dev.halfcell.cli;

import dev.halfcell.zoo.job.JobSpecification;
import java.util.LinkedHashMap;
import java.util.Map;

/** What flags say: each is an alias of one key of a specification. One thread. */
final class SaidKeys {
  private final Map<String, Object> values = new LinkedHashMap<>();

  /** A flag has said this: a text, number or truth, or a list or map of the same. */
  void say(String pointer, Object value) {
    values.put(pointer, value);
  }

  /** Whether a flag has said something of this key. */
  boolean says(String pointer) {
    return values.containsKey(pointer);
  }

  /** The specification with what flags say in the place of what it says. */
  JobSpecification over(JobSpecification file) {
    JobSpecification over = file;
    for (Map.Entry<String, Object> value : values.entrySet()) {
      over = over.with(value.getKey(), value.getValue());
    }
    return over;
  }
}
