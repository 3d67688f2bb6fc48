package dev.halfcell.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes traces by OTLP over HTTP, and keeps them. */
final class Collector implements AutoCloseable {
  private final HttpServer server;
  private final List<ExportTraceServiceRequest> taken = new CopyOnWriteArrayList<>();

  private Collector(HttpServer server) {
    this.server = server;
  }

  static Collector start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Collector collector = new Collector(server);
    server.createContext("/v1/traces", collector::take);
    server.start();
    return collector;
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      taken.add(ExportTraceServiceRequest.parseFrom(exchange.getRequestBody().readAllBytes()));
      exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The spans of a name that came so far. */
  List<Span> named(String name) {
    return taken.stream()
        .flatMap(request -> request.getResourceSpansList().stream())
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
