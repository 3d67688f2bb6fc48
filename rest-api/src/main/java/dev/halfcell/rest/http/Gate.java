package dev.halfcell.rest.http;

import dev.halfcell.rest.service.Caller;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * What all requests share.
 *
 * @param executor runs what may block
 * @param endpoints by the id of their operation
 * @param submits how fast an owner may submit
 * @param backlog what waits for readers of streams
 * @param longAnswers sends what is long
 * @param accessLog is told of each request
 */
record Gate(
    Vertx vertx,
    HttpServerSettings settings,
    HeadChecks checks,
    Routes routes,
    Connections connections,
    Executor executor,
    Map<String, Endpoint> endpoints,
    SubmitRate submits,
    Backlog backlog,
    LongAnswers longAnswers,
    Figures figures,
    AccessLog accessLog) {
  private static final Set<String> SUBMITTING =
      Set.of("submitJob", "cloneJob", "resumeJob", "submitComparison");

  /** What does an operation. */
  Endpoint endpoint(Operation operation) {
    return Objects.requireNonNull(endpoints.get(operation.id()), operation.id());
  }

  /** The same; refused where somebody submits faster than is good for others. */
  Endpoint endpoint(Operation operation, Caller caller) {
    if (SUBMITTING.contains(operation.id())) {
      submits.takeFirst(caller.owner());
    }
    return endpoint(operation);
  }
}
