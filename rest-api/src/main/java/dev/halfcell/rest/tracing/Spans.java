package dev.halfcell.rest.tracing;

import dev.halfcell.rest.job.Trace;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Parts of traces as spans of OpenTelemetry. Its classes are loaded where traces are wanted. */
final class Spans implements AutoCloseable {
  private static final Map<String, String> USUAL =
      Map.of(
          "otel.service.name", "halfcell",
          "otel.exporter.otlp.protocol", "http/protobuf",
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none");

  private static final long PATIENCE_SECONDS = 2;

  private final OpenTelemetrySdk sdk;
  private final GivenIds ids;
  private final Tracer tracer;

  private Spans(OpenTelemetrySdk sdk, GivenIds ids) {
    this.sdk = sdk;
    this.ids = ids;
    this.tracer = sdk.getTracer("dev.halfcell.rest");
  }

  static Spans to(Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(USUAL);
    all.putAll(properties);
    GivenIds ids = new GivenIds();
    return new Spans(
        AutoConfiguredOpenTelemetrySdk.builder()
            .addPropertiesSupplier(() -> all)
            .addTracerProviderCustomizer((provider, _) -> provider.setIdGenerator(ids))
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk(),
        ids);
  }

  void tell(Part part) {
    SpanBuilder builder =
        tracer
            .spanBuilder(part.name())
            .setSpanKind(part.asked() ? SpanKind.SERVER : SpanKind.INTERNAL)
            .setStartTimestamp(part.from());
    part.facts().forEach(builder::setAttribute);
    part.figures().forEach(builder::setAttribute);
    builder.setParent(parent(part.ids()));
    Span span = ids.giving(part.ids(), builder::startSpan);
    part.failure().ifPresent(why -> span.setStatus(StatusCode.ERROR, why));
    span.end(part.to());
  }

  private static Context parent(Trace of) {
    return of.parent()
        .map(
            span ->
                Span.wrap(
                        SpanContext.createFromRemoteParent(
                            of.id(),
                            span,
                            TraceFlags.fromHex(of.flags(), 0),
                            TraceState.getDefault()))
                    .storeInContext(Context.root()))
        .orElse(Context.root());
  }

  @Override
  public void close() {
    var _ = sdk.shutdown().join(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
