package dev.halfcell.rest.tracing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Trace;
import dev.halfcell.tensor.ArgumentException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Traces that nobody takes are no harm. What is sent is looked at in {@code TracedServiceTest}. */
final class TracingTest {
  private static Part part() {
    return new Part(
        Trace.behind(Optional.empty(), new Random(1)),
        true,
        "GET /v1/jobs",
        Instant.EPOCH,
        Instant.EPOCH.plusMillis(3),
        Map.of("http.request.method", "GET"),
        Map.of("http.response.status_code", 200L),
        Optional.empty());
  }

  @Test
  void aCollectorThatIsAwayKeepsNobodyWaiting() {
    assertTimeout(
        Duration.ofSeconds(10),
        () -> {
          try (Tracing tracing =
              Tracing.of(Map.of("otel.exporter.otlp.endpoint", "http://127.0.0.1:1"))) {
            for (int i = 0; i < 10_000; i++) {
              tracing.tell(TracingTest::part);
            }
          }
        });
  }

  @Test
  void whatIsNotThereIsRefusedByName() {
    for (Map<String, String> wrong :
        List.of(
            Map.of("otel.exporter.otlp.protocol", "grpc"),
            Map.of("otel.traces.exporter", "none-such"),
            Map.of("otel.exporter.otlp.endpoint", "no address"))) {
      ArgumentException refused = assertThrows(ArgumentException.class, () -> Tracing.of(wrong));
      String said = refused.problem().message();
      assertTrue(said.contains("OTEL_* of the environment"), said);
      assertTrue(said.contains("http/protobuf"), said);
    }
  }

  @Test
  void whereNothingIsWantedNothingIsMade() {
    try (Tracing tracing = Tracing.none()) {
      tracing.tell(
          () -> {
            throw new AssertionError("it was made");
          });
    }
  }
}
