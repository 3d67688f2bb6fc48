package dev.halfcell.rest.http;

import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.Artifacts;
import dev.halfcell.rest.service.Comparisons;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.service.JobService;
import dev.halfcell.rest.service.Predictions;
import dev.halfcell.rest.service.Preview;
import dev.halfcell.rest.service.QueuePlaces;
import dev.halfcell.rest.service.Replays;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.service.Submissions;
import dev.halfcell.rest.service.Successors;
import dev.halfcell.rest.service.TaskRunner;
import dev.halfcell.rest.service.TimeEstimate;
import dev.halfcell.rest.service.WorkerFigures;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers for the jobs of a store over HTTP, until it is closed. */
public final class HttpApi implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;

  /** What answers that are under way have to come to their end in when the server closes. */
  private static final long LAST_WORDS_MILLISECONDS = 1_000;

  private final Vertx vertx;
  private final HttpServer server;
  private final ExecutorService executor;
  private final StreamLimit streams;

  /**
   * What it answers with.
   *
   * @param tasks runs models, and steps again
   * @param ready whether jobs are begun
   * @param workers what can be counted of workers
   */
  public record Services(
      JobStore store,
      EventHub hub,
      JobFolders folders,
      JobService jobs,
      Submissions submissions,
      Admission admission,
      Retention retention,
      AccessLog accessLog,
      TaskRunner tasks,
      BooleanSupplier ready,
      Supplier<WorkerFigures> workers) {}

  private HttpApi(Vertx vertx, HttpServer server, ExecutorService executor, StreamLimit streams) {
    this.vertx = vertx;
    this.server = server;
    this.executor = executor;
    this.streams = streams;
  }

  /**
   * Begins to listen.
   *
   * @param document what it is bound to
   * @throws ArgumentException where others could connect without a token, or the address is taken
   */
  public static HttpApi start(
      HttpServerSettings settings, Tokens tokens, Services services, ApiDocument document) {
    settings.requireGuarded(tokens);
    Vertx vertx = Vertx.vertx(new VertxOptions().setUseDaemonThread(true));
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    try {
      StreamLimit streams = new StreamLimit(settings.limits().streams());
      Gate gate = gate(vertx, executor, settings, tokens, services, streams, document);
      HttpServer server = vertx.createHttpServer(ServerOptions.of(settings));
      server
          .connectionHandler(gate.connections()::opened)
          .requestHandler(request -> new Exchange(gate, request).begin())
          .invalidRequestHandler(
              request -> InvalidRequests.answer(gate.connections(), gate.accessLog(), request))
          .exceptionHandler(_ -> {});
      await(server.listen());
      return new HttpApi(vertx, server, executor, streams);
    } catch (RuntimeException failed) {
      executor.close();
      await(vertx.close());
      throw failed;
    }
  }

  private static Gate gate(
      Vertx vertx,
      ExecutorService executor,
      HttpServerSettings settings,
      Tokens tokens,
      Services services,
      StreamLimit streams,
      ApiDocument document) {
    Figures figures = new Figures();
    Connections connections = new Connections(vertx, settings);
    SubmitRate submits = new SubmitRate(settings.limits(), System::nanoTime);
    Map<String, Endpoint> endpoints =
        endpoints(document, settings, services, streams, submits, figures);
    requireSame(document, endpoints.keySet());
    ServiceFigures.measure(figures, services.store(), streams, connections);
    ServiceFigures.measure(figures, services.workers());
    return new Gate(
        vertx,
        settings,
        new HeadChecks(settings.names(), tokens),
        new Routes(document.operations()),
        connections,
        executor,
        Map.copyOf(endpoints),
        submits,
        Backlog.ofThisHeap(),
        LongAnswers.on(vertx),
        figures,
        services.accessLog());
  }

  private static Map<String, Endpoint> endpoints(
      ApiDocument document,
      HttpServerSettings settings,
      Services services,
      StreamLimit streams,
      SubmitRate submits,
      Figures figures) {
    JobService jobs = services.jobs();
    JobFolders folders = services.folders();
    Submissions submissions = services.submissions();
    Artifacts artifacts = new Artifacts(folders);
    Preview preview = new Preview(services.admission());
    Comparisons comparisons = new Comparisons(services.store(), submissions);
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.putAll(
        new JobEndpoints(
                jobs,
                submissions,
                new Successors(jobs, submissions, folders),
                preview,
                new TimeEstimate(services.store()),
                services.retention(),
                new QueuePlaces(
                    services.store(), InstantSource.system(), Thread::startVirtualThread))
            .all());
    all.putAll(new RunEndpoints(jobs, folders, artifacts, preview, services.admission()).all());
    all.put(
        "predict",
        new PredictionEndpoint(
            new Predictions(jobs, folders, artifacts, services.admission(), services.tasks())));
    all.put(
        "diagnoseStep",
        new ReplayEndpoint(new Replays(jobs, folders, services.admission(), services.tasks())));
    all.put("getLogs", new LogEndpoint(jobs, folders, streams));
    all.put(
        "followJob", new EventEndpoint(jobs, services.store(), services.hub(), settings, streams));
    all.putAll(new ComparisonEndpoints(comparisons, jobs, folders, submits).all());
    all.putAll(new CatalogueEndpoints(preview, services.admission()).all());
    all.putAll(new HealthEndpoints(services, figures).all());
    all.putAll(new DocumentEndpoints(document).all());
    all.putAll(new DashboardEndpoints().all());
    return all;
  }

  /** Nothing is promised that is not done, and nothing done that is not promised. */
  private static void requireSame(ApiDocument document, Set<String> endpoints) {
    Set<String> promised = new LinkedHashSet<>();
    document.operations().forEach(operation -> promised.add(operation.id()));
    if (!promised.equals(endpoints)) {
      throw new IllegalStateException("promised " + promised + ", done " + endpoints);
    }
  }

  private static <T> T await(io.vertx.core.Future<T> future) {
    Future<T> waited = future.toCompletionStage().toCompletableFuture();
    try {
      return waited.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the server started or ended", e);
    } catch (ExecutionException e) {
      throw new ArgumentException(
          new Problem(
              "--port",
              "",
              "an address that can be listened at",
              String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage()),
              "Name another --port or --host."));
    } catch (TimeoutException e) {
      throw new IllegalStateException("the server did not start or end in time", e);
    }
  }

  /** The port that it listens at. */
  public int port() {
    return server.actualPort();
  }

  /** Ends: streams of events say that they close, and their readers come again. */
  @Override
  public void close() {
    streams.end();
    await(server.shutdown(LAST_WORDS_MILLISECONDS, TimeUnit.MILLISECONDS));
    executor.shutdownNow();
    await(vertx.close());
  }
}
