package dev.halfcell.rest.tracing;

import dev.halfcell.rest.job.Trace;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A part of a trace that is over: a span of OpenTelemetry.
 *
 * @param ids which trace it belongs to, and what it is called by others
 * @param asked whether somebody asked for it from outside
 * @param name what was done, the same for all that do the same
 * @param from when it began
 * @param to when it ended
 * @param facts what else is known of it
 * @param figures the same in numbers
 * @param failure why it did not come to a good end, where it did not
 */
public record Part(
    Trace ids,
    boolean asked,
    String name,
    Instant from,
    Instant to,
    Map<String, String> facts,
    Map<String, Long> figures,
    Optional<String> failure) {
  public Part {
    facts = Map.copyOf(facts);
    figures = Map.copyOf(figures);
  }
}
