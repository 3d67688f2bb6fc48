package dev.halfcell.rest.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests, each with a time limit over its whole answer, and again where that may help:
 * every request of the service may be repeated. Threads may share it.
 */
final class Transport implements AutoCloseable {
  private static final int LARGEST_ANSWER = 64 << 20;
  private static final int LARGEST_PROBLEM = 64 << 10;
  private static final int FIRST_ERROR = 400;

  private final ClientSettings settings;
  private final HttpClient http;

  Transport(ClientSettings settings) {
    this.settings = settings;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.connect())
            .build();
  }

  ClientSettings settings() {
    return settings;
  }

  /** Sends a request until it is answered. */
  Reply send(Call call) {
    Patience patience = new Patience(settings.patience());
    while (true) {
      try {
        return attempt(call);
      } catch (IOException e) {
        retry(call, patience, e);
      } catch (ProblemException e) {
        retry(patience, e);
      }
    }
  }

  /** Waits for another try, or throws what says that there is none. */
  void retry(Call call, Patience patience, IOException reason) {
    try {
      if (!(reason instanceof InterruptedCallException) && patience.again(Optional.empty())) {
        return;
      }
    } catch (IOException interrupted) {
      reason.addSuppressed(interrupted);
    }
    throw new UnreachableException(call.toString(), settings.server(), patience.spent(), reason);
  }

  /** Waits for another try as the server asks for, or throws the problem. */
  void retry(Patience patience, ProblemException problem) {
    try {
      if (problem.passing() && patience.again(problem.retryAfter())) {
        return;
      }
    } catch (IOException interrupted) {
      problem.addSuppressed(interrupted);
    }
    throw problem;
  }

  /** What an answer says. */
  <T> T read(Call call, byte[] body, Class<T> type) {
    try {
      return Json.read(body, type);
    } catch (Json.NotReadException e) {
      throw new AnswerException(call.toString(), settings.server(), said(e), e);
    }
  }

  private static String said(Json.NotReadException e) {
    return "an answer that does not say what it should: " + e.getMessage();
  }

  private Reply attempt(Call call) throws IOException {
    long end = System.nanoTime() + settings.answer().plus(call.waits()).toNanos();
    HttpResponse<Chunks> response = open(call);
    try (Chunks body = response.body()) {
      return new Reply(response.headers(), whole(call, body, LARGEST_ANSWER, end));
    }
  }

  /** Sends a request once. The answer's body is the caller's to read and to close. */
  HttpResponse<Chunks> open(Call call) throws IOException {
    Duration limit = settings.answer().plus(call.waits());
    long end = System.nanoTime() + limit.toNanos();
    CompletableFuture<HttpResponse<Chunks>> coming =
        http.sendAsync(request(call), _ -> new Chunks());
    HttpResponse<Chunks> response = come(coming, limit);
    int status = response.statusCode();
    if (status == 200 || status == 202 || status == 204 || status == 206) {
      return response;
    }
    try (Chunks body = response.body()) {
      if (status < FIRST_ERROR) {
        throw new AnswerException(call.toString(), settings.server(), "status " + status);
      }
      throw problem(call, response, whole(call, body, LARGEST_PROBLEM, end));
    }
  }

  private static HttpResponse<Chunks> come(
      CompletableFuture<HttpResponse<Chunks>> coming, Duration limit) throws IOException {
    try {
      return coming.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      coming.cancel(true);
      throw new HttpTimeoutException("no answer within " + limit.toMillis() + " ms");
    } catch (InterruptedException e) {
      coming.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedCallException();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException reason
          ? reason
          : new IOException("the request failed", e.getCause());
    }
  }

  private HttpRequest request(Call call) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(settings.server() + call.path()));
    call.body().ifPresent(_ -> request.header("Content-Type", "application/json"));
    settings.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
    call.headers().forEach(request::setHeader);
    return request
        .method(
            call.method(),
            call.body().map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody))
        .build();
  }

  private byte[] whole(Call call, Chunks body, int most, long end) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (true) {
      Optional<byte[]> part = body.next(Duration.ofNanos(end - System.nanoTime()));
      if (part.isEmpty()) {
        return bytes.toByteArray();
      }
      bytes.writeBytes(part.get());
      if (bytes.size() > most) {
        throw new AnswerException(
            call.toString(), settings.server(), "more than " + most + " bytes");
      }
    }
  }

  private ProblemException problem(Call call, HttpResponse<Chunks> response, byte[] body) {
    int status = response.statusCode();
    return new ProblemException(
        call.toString(), settings.server(), detail(status, body), retryAfter(response.headers()));
  }

  /** What lies between may answer too, in its own words, which are left out. */
  private static ProblemDetail detail(int status, byte[] body) {
    try {
      ProblemBody said = Json.read(body, ProblemBody.class);
      return new ProblemDetail(
          said.type(), said.title(), status, said.detail(), said.errors().orElse(List.of()));
    } catch (Json.NotReadException e) {
      return new ProblemDetail("about:blank", "HTTP", status, "no reason is given", List.of());
    }
  }

  private record ProblemBody(
      String type, String title, String detail, Optional<List<ProblemDetail.FieldError>> errors) {}

  private static Optional<Duration> retryAfter(HttpHeaders headers) {
    return headers
        .firstValue("Retry-After")
        .filter(text -> text.matches("[0-9]{1,6}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
