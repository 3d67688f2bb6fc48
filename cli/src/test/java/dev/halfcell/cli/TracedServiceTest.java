package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A service whose traces are sent to a collector, by the variables that OpenTelemetry has. */
@Tag("process")
final class TracedServiceTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";
  private static final String JOB =
      """
      {
        "network": {"name": "lenet5"}, "device": "cpu",
        "precision": {"level": "O2"}, "training": {"steps": 5, "batchSize": 8}
      }
      """;

  @TempDir private Path folder;

  @Test
  void aRequestAndTheTrainingThatItLedToAreOfOneTrace() throws Exception {
    Path data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    try (Collector collector = Collector.start();
        ServiceProcess service =
            ServiceProcess.serve(
                folder.resolve("service"),
                data,
                List.of(),
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address()));
        HalfCellClient client = new HalfCellClient(ClientSettings.at(service.address()))) {
      HttpResponse<String> answer = submit(service);
      assertEquals(202, answer.statusCode());
      String job = new JsonMapper().readTree(answer.body()).get("id").stringValue();
      var _ = TrainedJobs.awaitSuccess(client, job);
      assertEquals(0, service.end());

      Span request = one(collector, "POST /v1/jobs");
      assertEquals(TRACE, hex(request.getTraceId()));
      assertEquals(CALLER, hex(request.getParentSpanId()));
      assertEquals(
          "00-" + TRACE + "-" + hex(request.getSpanId()) + "-01",
          answer.headers().firstValue("traceparent").orElseThrow());
      assertEquals(Span.SpanKind.SPAN_KIND_SERVER, request.getKind());
      assertEquals(202, fact(request, "http.response.status_code").getIntValue());
      assertEquals(job, fact(request, "halfcell.job.id").getStringValue());

      Span training = one(collector, "train");
      assertEquals(TRACE, hex(training.getTraceId()));
      assertEquals(job, fact(training, "halfcell.job.id").getStringValue());
      assertEquals("COMPLETED", fact(training, "halfcell.outcome").getStringValue());
      assertEquals(1, fact(training, "halfcell.attempt").getIntValue());
      assertEquals(Status.StatusCode.STATUS_CODE_UNSET, training.getStatus().getCode());
      assertTrue(training.getStartTimeUnixNano() >= request.getStartTimeUnixNano());
      assertTrue(training.getEndTimeUnixNano() > training.getStartTimeUnixNano());
    }
  }

  private static HttpResponse<String> submit(ServiceProcess service) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create(service.address() + "/v1/jobs"))
              .header("Content-Type", "application/json")
              .header("traceparent", "00-" + TRACE + "-" + CALLER + "-01")
              .POST(HttpRequest.BodyPublishers.ofString(JOB))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static Span one(Collector collector, String name) {
    List<Span> all = collector.named(name);
    assertEquals(1, all.size(), name);
    return all.getFirst();
  }

  private static AnyValue fact(Span span, String name) {
    return span.getAttributesList().stream()
        .filter(fact -> fact.getKey().equals(name))
        .map(KeyValue::getValue)
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " in " + span));
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }
}
