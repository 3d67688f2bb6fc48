package dev.halfcell.rest.http;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Trace;
import dev.halfcell.rest.service.Caller;
import dev.halfcell.rest.service.FieldError;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.JsonNode;

/**
 * One request and its answer. Checks are made on the event loop, the rest on a thread of its own.
 */
final class Exchange {
  private static final long LINGER_MILLISECONDS = 500;

  private final Gate gate;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Context context;
  private final long began = System.nanoTime();
  private final Instant at = Instant.now();
  private final Trace trace;
  private final CompletableFuture<Void> left = new CompletableFuture<>();
  private String operation = "none";
  private String route = "none";
  private Optional<String> owner = Optional.empty();
  private Optional<String> job = Optional.empty();
  private boolean logged;

  Exchange(Gate gate, HttpServerRequest request) {
    this.gate = gate;
    this.request = request;
    this.response = request.response();
    this.context = gate.vertx().getOrCreateContext();
    this.trace = traced(request.headers());
  }

  /** Two that are not the same would be two traces: none of them is believed. */
  static Trace traced(MultiMap headers) {
    List<String> said = headers.getAll(Trace.HEADER);
    Optional<String> one =
        said.size() == 1 ? Optional.of(said.getFirst().strip()) : Optional.empty();
    return Trace.behind(one, ThreadLocalRandom.current());
  }

  void begin() {
    if (gate.connections().isClosing(request.connection())) {
      return;
    }
    gate.connections().headRead(request.connection());
    response.endHandler(
        _ -> {
          log(true);
          gate.connections().answered(request.connection());
        });
    response.closeHandler(
        _ -> {
          log(false);
          left.complete(null);
        });
    // Somebody who went away needs no answer, and is no defect.
    response.exceptionHandler(_ -> {});
    request.exceptionHandler(_ -> {});
    try {
      check();
    } catch (Refusal refusal) {
      refuse(refusal);
    } catch (RuntimeException defect) {
      refuse(Failures.refusal(defect, trace));
    }
  }

  private void log(boolean whole) {
    if (logged) {
      return;
    }
    logged = true;
    gate.accessLog()
        .add(
            new AccessEntry(
                at,
                HeadChecks.known(request.method().name()) ? request.method().name() : "OTHER",
                route,
                response.getStatusCode(),
                response.bytesWritten(),
                (System.nanoTime() - began) / 1e6,
                whole,
                owner,
                job,
                trace));
  }

  private void check() {
    HeadChecks checks = gate.checks();
    checks.requireWellFormed(request);
    checks.requireOurs(request.headers());
    int question = request.uri().indexOf('?');
    String path = question < 0 ? request.uri() : request.uri().substring(0, question);
    Routes.Match match =
        gate.routes()
            .find(path)
            .orElseThrow(() -> Refusal.of(ProblemKind.NOT_FOUND, "There is nothing here."));
    Operation found =
        match
            .operation(request.method().name())
            .orElseThrow(
                () ->
                    Refusal.of(ProblemKind.METHOD_NOT_ALLOWED, "This cannot be done here.")
                        .with("Allow", match.allow()));
    operation = found.id();
    route = found.path();
    job = Optional.ofNullable(match.parameters().get("id")).flatMap(JobId::parse).map(JobId::text);
    Caller caller = checks.caller(found, request.headers());
    owner = found.scope().map(_ -> caller.owner());
    String mediaType = mediaType(found);
    long announced = HeadChecks.announced(request.headers());
    HeadChecks.requireReadable(
        found, request.headers(), announced, gate.settings().limits().bodyBytes());
    Map<String, JsonNode> parameters = parameters(found, match.parameters(), question);
    expect();
    if (announced == 0) {
      Optional<Answer> known = known(found, caller, parameters, mediaType);
      if (known.isPresent()) {
        answer(known.get());
        return;
      }
      dispatch(found, caller, parameters, mediaType, new byte[0]);
      return;
    }
    BodyReading.start(
        gate.vertx(),
        request,
        gate.settings(),
        body -> dispatch(found, caller, parameters, mediaType, body),
        this::refuse);
  }

  private String mediaType(Operation found) {
    List<String> said = request.headers().getAll("Accept");
    Optional<String> accept =
        said.isEmpty() ? Optional.empty() : Optional.of(String.join(",", said));
    return found.produced().isEmpty()
        ? ""
        : Negotiation.choose(accept, found.produced())
            .orElseThrow(
                () ->
                    Refusal.of(
                        ProblemKind.NOT_ACCEPTABLE,
                        "There is " + String.join(", ", found.produced()) + "."));
  }

  private void expect() {
    String expected = request.getHeader("Expect");
    if (expected == null) {
      return;
    }
    if (!expected.equalsIgnoreCase("100-continue")) {
      throw Refusal.of(ProblemKind.EXPECTATION_FAILED, "Only 100-continue can be expected.");
    }
    response.writeContinue();
  }

  private Map<String, JsonNode> parameters(
      Operation found, Map<String, String> path, int question) {
    Map<String, List<String>> query =
        Routes.query(question < 0 ? "" : request.uri().substring(question + 1));
    Map<String, JsonNode> all = new HashMap<>();
    List<FieldError> wrong = new ArrayList<>();
    for (Parameter parameter : found.parameters()) {
      String name = parameter.name();
      List<String> said =
          switch (parameter.in()) {
            case "path" -> List.of(path.get(name));
            case "query" -> query.getOrDefault(name, List.of());
            default -> request.headers().getAll(name);
          };
      if (said.isEmpty()) {
        parameter.usual().ifPresent(usual -> all.put(name, usual));
      } else {
        Parameter.Read read = parameter.read(said);
        wrong.addAll(read.errors());
        all.put(name, read.value());
      }
      if (parameter.in().equals("query")) {
        query.remove(name);
      }
    }
    query.keySet().stream()
        .limit(10)
        .forEach(name -> wrong.add(FieldError.of("/query/" + name, "there is no such parameter")));
    if (!wrong.isEmpty()) {
      throw Refusal.invalid(wrong);
    }
    return all;
  }

  private Optional<Answer> known(
      Operation found, Caller caller, Map<String, JsonNode> parameters, String mediaType) {
    return found.body().isPresent()
        ? Optional.empty()
        : gate.endpoint(found)
            .known(asked(found, caller, parameters, mediaType, "", Optional.empty()));
  }

  private Request asked(
      Operation found,
      Caller caller,
      Map<String, JsonNode> parameters,
      String mediaType,
      String text,
      Optional<JsonNode> body) {
    return new Request(
        found, request.uri(), caller, parameters, mediaType, text, body, trace, left);
  }

  private void dispatch(
      Operation found,
      Caller caller,
      Map<String, JsonNode> parameters,
      String mediaType,
      byte[] body) {
    gate.executor()
        .execute(
            () -> {
              try {
                Endpoint endpoint = gate.endpoint(found, caller);
                String text = StrictJson.text(body);
                Optional<JsonNode> read = BodyCheck.read(found, text);
                answer(endpoint.answer(asked(found, caller, parameters, mediaType, text, read)));
              } catch (RuntimeException refused) {
                Refusal refusal = Failures.refusal(refused, trace);
                context.runOnContext(_ -> refuse(refusal));
              } catch (Error broken) { // whoever asked waits for an answer all the same
                Refusal refusal = Failures.defect(broken, trace);
                context.runOnContext(_ -> refuse(refusal));
                throw broken;
              }
            });
  }

  private void answer(Answer answer) {
    switch (answer) {
      case Answer.Whole whole -> context.runOnContext(_ -> whole(whole));
      case Answer.Part part -> part(part);
      case Answer.Flow flow -> flow(flow);
    }
  }

  private void head(int status, Map<String, String> headers) {
    gate.figures().answered(operation, status, System.nanoTime() - began);
    response.setStatusCode(status);
    SecurityHeaders.put(response.headers());
    response.putHeader(Trace.HEADER, trace.header());
    job = job.or(() -> JobId.ofPath(headers.getOrDefault("Location", "")).map(JobId::text));
    headers.forEach(response::putHeader);
  }

  private void whole(Answer.Whole whole) {
    if (response.closed() || response.ended()) {
      return;
    }
    head(whole.status(), whole.headers());
    int length = whole.body().length();
    boolean unwanted = request.method().name().equals("HEAD");
    if (length > LongAnswers.LONG || unwanted && length > 0) {
      response.putHeader("Content-Length", Integer.toString(length));
    }
    if (unwanted) {
      response.end();
    } else if (length > LongAnswers.LONG) {
      gate.longAnswers()
          .send(response, whole.body(), () -> gate.connections().cut(request.connection()));
    } else {
      response.end(whole.body());
    }
  }

  private void part(Answer.Part part) {
    FileChannel file;
    try {
      file = FileChannel.open(part.file());
    } catch (IOException e) {
      throw Refusal.of(ProblemKind.NOT_FOUND, "It is gone.");
    }
    context.runOnContext(
        _ -> {
          head(part.status(), part.headers());
          response.putHeader("Content-Length", Long.toString(part.length()));
          if (request.method().name().equals("HEAD") || part.length() == 0) {
            response.end();
            Closing.quietly(file);
          } else {
            response
                .sendFile(file, part.from(), part.length())
                .onComplete(_ -> Closing.quietly(file));
          }
        });
  }

  private void flow(Answer.Flow flow) {
    if (request.method().name().equals("HEAD")) {
      flow.writer().write(Outlet.unwanted(context, response));
      context.runOnContext(_ -> whole(new Answer.Whole(200, flow.headers(), Buffer.buffer())));
      return;
    }
    context.runOnContext(
        _ -> {
          head(flow.status(), flow.headers());
          response.setChunked(true);
          response.writeHead();
        });
    HttpServerSettings settings = gate.settings();
    Outlet outlet =
        Outlet.to(
            context,
            response,
            () -> gate.connections().cut(request.connection()),
            settings.deadlines().body(),
            settings.limits().streamBytes(),
            gate.backlog());
    try {
      flow.writer().write(outlet);
      outlet.end();
    } catch (RuntimeException e) {
      outlet.breakOff();
      throw e;
    }
  }

  /**
   * What was not read of the request is read and thrown away, so that its sender gets the answer.
   */
  private void refuse(Refusal refusal) {
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      // Half an answer must not look like a whole one.
      gate.connections().cut(request.connection());
      return;
    }
    head(refusal.kind().status(), refusal.headers());
    response.putHeader("Content-Type", ProblemJson.MEDIA_TYPE);
    if (!request.isEnded()) {
      gate.connections().closing(request.connection());
      response.putHeader("Connection", "close");
      request.handler(_ -> {});
      request.endHandler(_ -> {});
      response
          .end(Buffer.buffer(ProblemJson.of(refusal, request.uri(), trace)))
          .onComplete(
              _ -> gate.vertx().setTimer(LINGER_MILLISECONDS, _ -> request.connection().close()));
    } else {
      response.end(Buffer.buffer(ProblemJson.of(refusal, request.uri(), trace)));
    }
  }
}
