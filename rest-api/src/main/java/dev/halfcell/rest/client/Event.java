package dev.halfcell.rest.client;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a job.
 *
 * @param job whose
 * @param number from 1, without gaps
 * @param attempt the attempt it belongs to, 0 before the first
 * @param at when
 * @param kind {@code state}, {@code step}, {@code epoch}, {@code overflow}, {@code scale}, {@code
 *     checkpoint}, {@code notice}, or what a newer server may say
 * @param data what of it: texts, numbers, truths, lists and maps; null for what is not finite
 */
public record Event(
    String job,
    long number,
    int attempt,
    Instant at,
    String kind,
    Map<String, @Nullable Object> data) {
  public Event {
    data = Collections.unmodifiableMap(data);
  }

  /** A text of its data. */
  public Optional<String> text(String key) {
    return data.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** A number of its data; none where it was not finite. */
  public Optional<Double> number(String key) {
    return data.get(key) instanceof Number number
        ? Optional.of(number.doubleValue())
        : Optional.empty();
  }
}
