package dev.halfcell.rest.tracing;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends parts of traces to a collector by the protocol of OpenTelemetry (OTLP), where the
 * environment names one by the variables that all programs with OpenTelemetry read. Threads may
 * share it, and none of them waits for the collector.
 */
public final class Tracing implements AutoCloseable {
  /** Any of these says that traces are wanted. */
  private static final Set<String> WANTED =
      Set.of(
          "OTEL_EXPORTER_OTLP_ENDPOINT",
          "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
          "OTEL_TRACES_EXPORTER");

  private final Optional<Spans> spans;

  private Tracing(Optional<Spans> spans) {
    this.spans = spans;
  }

  /** One that sends nothing. */
  public static Tracing none() {
    return new Tracing(Optional.empty());
  }

  /**
   * One that sends what the environment of this process asks for.
   *
   * @throws ArgumentException where it asks for what there is not
   */
  public static Tracing ofEnvironment() {
    return System.getenv().keySet().stream().anyMatch(WANTED::contains) ? of(Map.of()) : none();
  }

  /**
   * One that is set up otherwise.
   *
   * @param properties by OpenTelemetry's names, such as {@code otel.exporter.otlp.endpoint}; the
   *     environment goes first
   * @throws ArgumentException where they are none that it takes
   */
  public static Tracing of(Map<String, String> properties) {
    try {
      return new Tracing(Optional.of(Spans.to(properties)));
    } catch (ConfigurationException | IllegalStateException | IllegalArgumentException e) {
      throw new ArgumentException(
          new Problem(
              "OTEL_* of the environment",
              "",
              "settings of OpenTelemetry, with the protocol http/protobuf",
              String.valueOf(e.getMessage()),
              "Correct them, or take them away to send no traces."));
    }
  }

  /** Sends one, a little later; it is not even made where nobody wants it. */
  public void tell(Supplier<Part> part) {
    spans.ifPresent(to -> to.tell(part.get()));
  }

  /** Sends what is left; it waits two seconds at most for a collector that does not answer. */
  @Override
  public void close() {
    spans.ifPresent(Spans::close);
  }
}
