package dev.halfcell.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** A job service that answers what it is told to, by method and path. */
final class ServiceDouble implements AutoCloseable {
  static final String ID = "0123456789abcdef0123456789abcdef";
  static final String JOB = "/v1/jobs/" + ID;

  private record Answer(int status, String type, byte[] body, Map<String, String> headers) {}

  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final CountDownLatch followed = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  ServiceDouble() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String option() {
    return "--server=http://127.0.0.1:" + server.getAddress().getPort();
  }

  ServiceDouble says(String request, int status, String json) {
    return says(request, status, "application/json", json.getBytes(StandardCharsets.UTF_8));
  }

  ServiceDouble says(String request, int status, String type, byte[] body) {
    answers.put(request, new Answer(status, type, body, Map.of()));
    return this;
  }

  /** Events of the job, after which it is over in this state. */
  ServiceDouble runsTo(String state, String events) {
    says("GET " + JOB, 200, job(state));
    String stream = events + "event: end\ndata: {\"state\":\"" + state + "\"}\n\n";
    return says(
        "GET " + JOB + "/events",
        200,
        "text/event-stream",
        stream.getBytes(StandardCharsets.UTF_8));
  }

  /** A job that runs for as long as this does. */
  ServiceDouble runsOn() {
    says("GET " + JOB, 200, job("RUNNING"));
    return says("GET " + JOB + "/events", 200, "text/event-stream", new byte[0]);
  }

  /** Returns when somebody follows the job. */
  void awaitFollowed() throws InterruptedException {
    followed.await();
  }

  List<String> requests() {
    return requests;
  }

  List<String> bodies() {
    return bodies;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      Answer answer = answers.getOrDefault(request, missing());
      exchange.getResponseHeaders().add("Content-Type", answer.type());
      boolean stream = answer.type().equals("text/event-stream");
      exchange.sendResponseHeaders(answer.status(), stream ? 0 : answer.body().length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(answer.body());
        out.flush();
        if (stream) {
          followed.countDown();
        }
        if (stream && answer.body().length == 0) {
          hold(out);
        }
      }
    }
  }

  private void hold(OutputStream out) throws IOException {
    out.write(": hello\n\n".getBytes(StandardCharsets.UTF_8));
    out.flush();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Answer missing() {
    String problem =
        """
        {"type":"/docs#problem-not-found","title":"There is no such thing","status":404,
         "detail":"No job of that id.","instance":"/"}""";
    return new Answer(
        404, "application/problem+json", problem.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  static String job(String state) {
    return """
    {"id":"%s","owner":"local","name":"first","labels":{},"priority":0,"pinned":false,\
    "network":"lenet5","level":"O2","state":"%s","statusReason":{"code":"TRAINING",\
    "message":"Why it is so.","since":"2026-01-01T00:00:00Z"},"metrics":{"test_accuracy":0.875},\
    "progress":{"step":5,"totalSteps":10,"epoch":1,"epochs":2,"fraction":0.5,\
    "updatedAt":"2026-01-01T00:00:00Z"},"attempt":1,"estimatedBytes":1,\
    "createdAt":"2026-01-01T00:00:00Z","revision":1}"""
        .formatted(ID, state);
  }

  static String event(int number, String kind, String data) {
    return """
    id: %d
    event: %s
    data: {"job":"%s","number":%d,"attempt":1,"at":"2026-01-01T00:00:00Z","kind":"%s","data":%s}

    """
        .formatted(number, kind, ID, number, kind, data);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
