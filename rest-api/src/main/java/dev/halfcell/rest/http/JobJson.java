package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.service.Retention;
import java.util.OptionalInt;
import tools.jackson.databind.node.ObjectNode;

/** Jobs as clients see them. */
final class JobJson {
  private JobJson() {}

  /**
   * A job, whole.
   *
   * @param place in the queue, where it waits there
   */
  static ObjectNode of(Job job, Retention retention, OptionalInt place) {
    ObjectNode node = of(job.summary(), retention, place);
    node.set("specification", Json.read(job.specification()));
    node.set("resolved", Json.read(job.resolved()));
    job.attempts().forEach(attempt -> node.withArray("attempts").add(of(attempt)));
    if (job.attempts().isEmpty()) {
      node.putArray("attempts");
    }
    job.exit().ifPresent(exit -> node.set("exit", of(exit)));
    job.failure().ifPresent(failure -> node.set("failure", of(failure)));
    return node;
  }

  /**
   * A job as lists show it.
   *
   * @param place in the queue, where it waits there
   */
  static ObjectNode of(JobSummary job, Retention retention, OptionalInt place) {
    ObjectNode node = Json.object();
    node.put("id", job.id().text());
    node.put("owner", job.owner());
    Json.put(node, "externalId", job.externalId());
    Json.put(node, "name", job.description().name());
    ObjectNode labels = node.putObject("labels");
    job.description().labels().forEach(labels::put);
    Json.put(node, "notes", job.description().notes());
    node.put("priority", job.description().priority());
    node.put("pinned", job.description().pinned());
    node.put("network", job.network());
    node.put("level", job.level());
    node.put("state", job.state().name());
    node.set("statusReason", of(job.statusReason(), place));
    job.progress().ifPresent(progress -> node.set("progress", of(progress)));
    ObjectNode metrics = node.putObject("metrics");
    job.metrics()
        .forEach(
            (name, value) -> {
              if (Double.isFinite(value)) {
                metrics.put(name, value);
              }
            });
    node.put("attempt", job.attempt());
    node.put("estimatedBytes", job.estimatedBytes());
    node.put("createdAt", job.createdAt().toString());
    Json.put(node, "startedAt", job.startedAt().map(Object::toString));
    Json.put(node, "endedAt", job.endedAt().map(Object::toString));
    Json.put(node, "expiresAt", retention.expiresAt(job).map(Object::toString));
    job.resumedFrom().ifPresent(from -> node.set("resumedFrom", of(from)));
    Json.put(node, "traceId", job.trace());
    node.put("revision", job.revision());
    return node;
  }

  private static ObjectNode of(StatusReason reason, OptionalInt place) {
    ObjectNode node = Json.object();
    node.put("code", reason.code().name());
    if (place.isPresent()) {
      node.put("message", reason.message() + " Place in the queue: " + place.getAsInt() + ".");
      node.put("place", place.getAsInt());
    } else {
      node.put("message", reason.message());
    }
    node.put("since", reason.since().toString());
    return node;
  }

  private static ObjectNode of(JobProgress progress) {
    ObjectNode node = Json.object();
    node.put("step", progress.step());
    Json.put(node, "totalSteps", progress.totalSteps());
    node.put("epoch", progress.epoch());
    node.put("epochs", progress.epochs());
    node.put("fraction", progress.fraction());
    Json.put(node, "etaSeconds", progress.etaSeconds());
    node.put("updatedAt", progress.updatedAt().toString());
    return node;
  }

  private static ObjectNode of(Origin from) {
    ObjectNode node = Json.object();
    node.put("job", from.job().text());
    node.put("checkpoint", from.checkpoint());
    node.put("step", from.step());
    return node;
  }

  private static ObjectNode of(Attempt attempt) {
    ObjectNode node = Json.object();
    node.put("number", attempt.number());
    node.put("server", attempt.server());
    Json.put(node, "pid", attempt.pid());
    node.put("startedAt", attempt.startedAt().toString());
    Json.put(node, "fromStep", attempt.fromStep());
    Json.put(node, "endedAt", attempt.endedAt().map(Object::toString));
    Json.put(node, "reason", attempt.reason().map(Enum::name));
    attempt.exit().ifPresent(exit -> node.set("exit", of(exit)));
    return node;
  }

  private static ObjectNode of(Exit exit) {
    ObjectNode node = Json.object();
    Json.put(node, "code", exit.code());
    Json.put(node, "signal", exit.signal());
    node.put("graceful", exit.graceful());
    return node;
  }

  private static ObjectNode of(Failure failure) {
    ObjectNode node = Json.object();
    node.put("type", failure.type());
    node.put("detail", failure.detail());
    Json.put(node, "cell", failure.cell());
    Json.put(node, "step", failure.step());
    node.put("oomKilled", failure.oomKilled());
    node.put("retryable", failure.retryable());
    node.put("logTail", failure.logTail());
    return node;
  }

  static ObjectNode of(JobEvent event) {
    ObjectNode node = Json.object();
    node.put("job", event.job().text());
    node.put("number", event.number());
    node.put("attempt", event.attempt());
    node.put("at", event.at().toString());
    node.put("kind", event.kind().label());
    node.set("data", Json.read(event.data()));
    return node;
  }
}
