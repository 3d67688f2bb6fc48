package dev.halfcell.rest.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What people say of a job and may change at any time.
 *
 * @param name what they call it
 * @param labels what they find it by
 * @param notes what they write about it
 * @param priority higher goes first, from -100 to 100
 * @param pinned kept when old jobs are deleted
 */
public record Description(
    Optional<String> name,
    Map<String, String> labels,
    Optional<String> notes,
    int priority,
    boolean pinned) {
  public Description {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }
}
