package dev.halfcell.rest.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What is counted, for Prometheus. Threads may share it. */
final class Figures {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  Figures() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
  }

  /** A request was answered; of a stream, its head. */
  void answered(String operation, int status, long nanoseconds) {
    Timer.builder("halfcell.http.requests")
        .description("Requests that were answered.")
        .tag("operation", operation)
        .tag("status", Integer.toString(status))
        .register(registry)
        .record(nanoseconds, TimeUnit.NANOSECONDS);
  }

  void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  void gauge(String name, String description, String tag, String of, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).tag(tag, of).register(registry);
  }

  /** What only grows, of something that is kept as long as these are. */
  <T> void counter(String name, String description, T of, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, of, value).description(description).register(registry);
  }

  String text() {
    return registry.scrape();
  }
}
