package dev.halfcell.rest;

import dev.halfcell.rest.http.ApiDocument;
import dev.halfcell.rest.http.HttpApi;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.JobService;
import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.service.RetentionSweep;
import dev.halfcell.rest.service.RunningWorkers;
import dev.halfcell.rest.service.Submissions;
import dev.halfcell.rest.store.JobStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/** The job service: a store, workers and HTTP. What was opened last is closed first. */
public final class HalfCellServer implements AutoCloseable {
  private final ServerSettings settings;
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private final Submissions submissions;
  private final RunningWorkers workers;
  private final HttpApi http;

  private HalfCellServer(ServerSettings settings) {
    this.settings = settings;
    // Two long parts of a start, which do not need each other: the document and the store.
    CompletableFuture<ApiDocument> document = CompletableFuture.supplyAsync(ApiDocument::load);
    try {
      closing.push(settings.housekeeping().accessLog()::close);
      JobStore store = settings.store().get();
      closing.push(store::close);
      EventHub hub = new EventHub();
      Admission admission = new Admission(settings.memory());
      closing.push(admission::close);
      workers = settings.workers().start(store, hub, settings.folders());
      closing.push(workers::close);
      Retention retention = settings.housekeeping().retention();
      closing.push(
          RetentionSweep.start(retention, store, settings.folders(), settings.clock())::close);
      Quotas quotas =
          new Quotas(settings.housekeeping().quotas(), store, settings.folders(), admission);
      submissions =
          new Submissions(store, workers, admission, quotas, settings.queue(), settings.clock());
      JobService jobs = new JobService(store, workers, hub, settings.folders(), settings.clock());
      HttpApi.Services services =
          new HttpApi.Services(
              store,
              hub,
              settings.folders(),
              jobs,
              submissions,
              admission,
              retention,
              settings.housekeeping().accessLog(),
              workers,
              workers::ready,
              workers::figures);
      http = HttpApi.start(settings.http(), settings.tokens(), services, document.join());
      closing.push(http::close);
    } catch (RuntimeException failed) {
      closeAll();
      throw failed;
    }
  }

  /**
   * Opens the store, starts the workers and then begins to listen: who can connect finds everything
   * in its place.
   *
   * @throws dev.halfcell.tensor.HalfCellException where a part cannot be had
   */
  public static HalfCellServer start(ServerSettings settings) {
    return new HalfCellServer(settings);
  }

  /** The port that it listens at. */
  public int port() {
    return http.port();
  }

  /** Takes no more jobs, has those that run save their state, and ends. */
  @Override
  public void close() {
    submissions.drain();
    workers.drain(settings.drain());
    closeAll();
  }

  private void closeAll() {
    while (!closing.isEmpty()) {
      closing.pop().run();
    }
  }
}
