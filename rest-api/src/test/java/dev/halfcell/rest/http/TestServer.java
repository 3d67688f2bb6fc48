package dev.halfcell.rest.http;

import dev.halfcell.rest.HalfCellServer;
import dev.halfcell.rest.Housekeeping;
import dev.halfcell.rest.ServerSettings;
import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Applied;
import dev.halfcell.rest.store.Transition;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A server on a free port, over a store and workers that do what a test wants. */
final class TestServer implements AutoCloseable {
  private final FakeStore store = new FakeStore();
  private final FakeWorkers workers = new FakeWorkers();
  private final CompletableFuture<EventHub> hub = new CompletableFuture<>();
  private final JobFolders folders;
  private final HalfCellServer server;
  private final ContractClient client;

  private TestServer(
      Path root,
      HttpServerSettings http,
      Tokens tokens,
      AcceptLimits queue,
      Housekeeping housekeeping) {
    folders = new JobFolders(root);
    server =
        HalfCellServer.start(
            new ServerSettings(
                http,
                tokens,
                folders,
                new Admission.Limits(1L << 30, 4L << 30),
                queue,
                housekeeping,
                () -> store,
                (_, of, _) -> {
                  hub.complete(of);
                  return workers;
                },
                Duration.ofSeconds(1),
                Clock.systemUTC()));
    client = new ContractClient(server.port());
  }

  static HttpServerSettings http() {
    return HttpServerSettings.defaults().at("127.0.0.1", 0);
  }

  static TestServer start(Path root) {
    return start(root, http(), Tokens.none());
  }

  static TestServer start(Path root, HttpServerSettings http, Tokens tokens) {
    return new TestServer(root, http, tokens, new AcceptLimits(10, 10), Housekeeping.none());
  }

  static TestServer start(Path root, Housekeeping housekeeping) {
    return new TestServer(root, http(), Tokens.none(), new AcceptLimits(10, 10), housekeeping);
  }

  FakeStore store() {
    return store;
  }

  FakeWorkers workers() {
    return workers;
  }

  JobFolders folders() {
    return folders;
  }

  EventHub hub() {
    return hub.join();
  }

  ContractClient client() {
    return client;
  }

  int port() {
    return server.port();
  }

  /** Submits a small job. */
  JobId submit() {
    return new JobId(
        client
            .post("/v1/jobs", "{\"network\": {\"name\": \"lenet5\"}}")
            .expect(202)
            .json()
            .get("id")
            .stringValue());
  }

  /** Something happens to a job, and is told. */
  void move(JobId job, JobAction... actions) {
    for (JobAction action : actions) {
      StatusReason reason =
          new StatusReason(StatusReason.Code.TRAINING, "As a test has it.", Instant.now());
      Optional<Failure> failure =
          action == JobAction.FAIL
              ? Optional.of(
                  new Failure(
                      "internal", "It broke.", Optional.empty(), Optional.empty(), false, true, ""))
              : Optional.empty();
      Applied applied =
          store.apply(
              job, new Transition(action, reason, Optional.empty(), Optional.empty(), failure));
      if (!(applied instanceof Applied.Moved(_, JobEvent event))) {
        throw new AssertionError(applied);
      }
      hub().publish(job, List.of(event));
    }
  }

  /** An event is in the store, and told. */
  void step(JobId job, long step) {
    JobEvent event = store.add(job, EventKind.STEP, "{\"step\":" + step + "}");
    hub().publish(job, List.of(event));
  }

  /** Ends it as SIGTERM does; its client stays. */
  void stop() {
    server.close();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
