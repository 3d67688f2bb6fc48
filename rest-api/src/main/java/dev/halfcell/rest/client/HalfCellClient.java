package dev.halfcell.rest.client;

import dev.halfcell.rest.job.JobId;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Talks to a job service. Each method waits for its answer, in bounded time, and asks again where
 * the connection breaks or the server says "not now"; a job that is submitted so is one job all the
 * same, for the same key goes with each try. Threads may share it.
 *
 * <pre>{@code
 * try (HalfCellClient client = new HalfCellClient(ClientSettings.at("http://127.0.0.1:8080"))) {
 *   Job job = client.submit(JobSpecification.of("lenet5")).job();
 *   try (JobEvents events = client.events(job.id(), 0)) {
 *     for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
 *       System.out.println(event.get());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>What fails throws a {@link ClientException}: {@link ProblemException} where the server refuses
 * and says why, {@link UnreachableException} where none answers, {@link AnswerException} where
 * something else answers.
 */
public final class HalfCellClient implements AutoCloseable {
  private static final String JOBS = "/v1/jobs";
  private static final String COMPARISONS = "/v1/comparisons";
  private static final String KEY = "Idempotency-Key";
  private static final int CHANGED_MEANWHILE = 3;
  private static final int NOT_FOUND = 404;
  private static final Duration LONGEST_PREDICTION = Duration.ofSeconds(30);
  private static final Duration LONGEST_DIAGNOSIS = Duration.ofMinutes(2);

  private final Transport transport;

  public HalfCellClient(ClientSettings settings) {
    this.transport = new Transport(settings);
  }

  /**
   * How a job is submitted.
   *
   * @param externalId one's own name for it, which no two of one's jobs have
   * @param key what tells this submission from another of the same; a new one where left out
   */
  public record SubmitOptions(Optional<String> externalId, Optional<String> key) {
    /** Without a name of one's own. */
    public static SubmitOptions none() {
      return new SubmitOptions(Optional.empty(), Optional.empty());
    }
  }

  /** Submits a job. */
  public Submission submit(JobSpecification specification) {
    return submit(specification, SubmitOptions.none());
  }

  /** Submits a job in this way. */
  public Submission submit(JobSpecification specification, SubmitOptions options) {
    Query query = new Query();
    options.externalId().ifPresent(name -> query.with("externalId", name));
    return accepted(Call.post(JOBS + query, specification.json()), options.key());
  }

  private Submission accepted(Call call, Optional<String> key) {
    Call keyed = keyed(call, key);
    Reply reply = transport.send(keyed);
    return new Submission(transport.read(keyed, reply.body(), Job.class), replayed(reply));
  }

  private static Call keyed(Call call, Optional<String> key) {
    return call.with(KEY, key.orElseGet(() -> UUID.randomUUID().toString()));
  }

  private static boolean replayed(Reply reply) {
    return reply.headers().firstValue("Idempotency-Replayed").isPresent();
  }

  /** What would be queued; nothing is. */
  public DryRun dryRun(JobSpecification specification) {
    return read(Call.post(JOBS + "?dryRun=true", specification.json()), DryRun.class);
  }

  /** A job as it is now. */
  public Job job(String id) {
    return read(Call.get(path(id)), Job.class);
  }

  /** Some jobs, without their specifications. */
  public JobPage jobs(JobFilter filter) {
    return read(Call.get(JOBS + filter.query()), JobPage.class);
  }

  /** The page behind one of the same filter. */
  public JobPage jobs(JobFilter filter, String next) {
    return read(Call.get(JOBS + filter.query().with("next", next)), JobPage.class);
  }

  /** Ends a job, and waits so long for its end. Returns it as it is then. */
  public Job cancel(String id, Duration wait) {
    return read(waiting(id, "/cancel", wait), Job.class);
  }

  /** Lets a job wait, and waits so long until it does. Returns it as it is then. */
  public Job pause(String id, Duration wait) {
    return read(waiting(id, "/pause", wait), Job.class);
  }

  private Call waiting(String id, String action, Duration wait) {
    String query = new Query().with("wait", String.valueOf(wait.toSeconds())).toString();
    return Call.post(path(id) + action + query, "{}").waiting(wait);
  }

  /**
   * Goes on with a job that is paused, failed or cancelled: from its last checkpoint, or this one.
   * Of a job that was over it gives a new one.
   */
  public Job resume(String id, Optional<String> checkpoint) {
    Map<String, Object> body = new LinkedHashMap<>();
    checkpoint.ifPresent(name -> body.put("checkpoint", name));
    return accepted(Call.post(path(id) + "/resume", Json.text(body)), Optional.empty()).job();
  }

  /** Submits a job again with other values at these JSON pointers. */
  public Job clone(String id, Map<String, Object> changes) {
    String body = Json.text(Map.of("changes", changes));
    return accepted(Call.post(path(id) + "/clone", body), Optional.empty()).job();
  }

  /** Deletes a job that is over, with its artifacts. One that is not there is deleted. */
  public void delete(String id) {
    try {
      transport.send(Call.delete(path(id)));
    } catch (ProblemException e) {
      // The answer of the first try may have been lost.
      if (e.status() != NOT_FOUND) {
        throw e;
      }
    }
  }

  /** What happens to a job, behind the event of this number (0: from the first one on). */
  public JobEvents events(String id, long after) {
    return new JobEvents(transport, Call.get(path(id) + "/events"), after);
  }

  /**
   * What the workers of a job have printed so far: these lines of it. All lines of a log near its
   * greatest length are more than an answer may be (64 MiB), and an {@link AnswerException}.
   */
  public JobLog logs(String id, LogFilter filter) {
    return log(id).lines(filter);
  }

  /**
   * What the workers of a job have printed so far, as it is kept: the bytes from one place to
   * before another. The server may give fewer, and those that are left are behind {@link
   * LogPart#end}.
   */
  public LogPart logPart(String id, long from, long to) {
    return log(id).part(from, to);
  }

  private LogReading log(String id) {
    return new LogReading(transport, path(id) + "/logs");
  }

  /** The curves of a job, as far as they are now. */
  public Metrics metrics(String id, MetricsFilter filter) {
    return read(Call.get(path(id) + "/metrics" + filter.query()), MetricsBody.class).metrics();
  }

  /** Which cell of a job's network computes in which dtype, and why. */
  public Plan plan(String id) {
    return read(Call.get(path(id) + "/plan"), PlanBody.class).plan();
  }

  /** Which cell of a network would compute in which dtype, and why. */
  public Plan plan(PlanRequest request) {
    return read(Call.get(request.path()), PlanBody.class).plan();
  }

  /** Submits a specification at several levels and with several seeds: all of its jobs or none. */
  public ComparisonSubmission submitComparison(ComparisonRequest request) {
    Call keyed = keyed(Call.post(COMPARISONS, request.json()), request.key());
    Reply reply = transport.send(keyed);
    Comparison comparison = transport.read(keyed, reply.body(), Comparison.class);
    return new ComparisonSubmission(comparison, replayed(reply));
  }

  /** A comparison as it is now. */
  public Comparison comparison(String id) {
    return read(Call.get(COMPARISONS + "/" + known("comparison", id)), Comparison.class);
  }

  /** The files of a job, as they are now. */
  public List<Artifact> artifacts(String id) {
    return read(Call.get(path(id) + "/artifacts"), ArtifactList.class).artifacts();
  }

  private record ArtifactList(List<Artifact> artifacts) {}

  /**
   * Brings a file of a job into a folder, unless it is there already. Returns where it is.
   *
   * @throws dev.halfcell.tensor.DataException where what comes is not what was promised
   */
  public Path fetch(String id, Artifact artifact, Path folder) {
    Artifact wanted = artifact;
    for (int time = 1; ; time++) {
      try {
        return download(id, wanted, folder).run();
      } catch (Download.ChangedException e) {
        if (time == CHANGED_MEANWHILE) {
          throw new AnswerException(
              "fetch " + artifact.name(),
              transport.settings().server(),
              "a file that changes each time it is asked for",
              e);
        }
        wanted = artifact(id, artifact.name());
      }
    }
  }

  private Download download(String id, Artifact artifact, Path folder) {
    String path = path(id) + "/artifacts/" + Query.encoded(artifact.name());
    return new Download(transport, Call.get(path), artifact, folder);
  }

  private Artifact artifact(String id, String name) {
    return artifacts(id).stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new AnswerException(
                    "fetch " + name, transport.settings().server(), "no such file any more"));
  }

  /** What the model of a job that has succeeded makes of samples. */
  public PredictionResult predict(String id, PredictionRequest request) {
    Call call = Call.post("/v1/predictions", request.json(known("job", id)));
    return read(call.waiting(LONGEST_PREDICTION), PredictionResult.class);
  }

  /**
   * What becomes of a step of a job that is over, run again op by op: what is not finite in it, and
   * what half loses of its gradients.
   */
  public StepDiagnosis diagnoseStep(String id) {
    Call call = Call.post(path(id) + "/diagnosis", "{}");
    return read(call.waiting(LONGEST_DIAGNOSIS), StepDiagnosis.class);
  }

  /** What runs there, by name. */
  public Map<String, String> versions() {
    return read(Call.get("/v1/version"), Versions.class).versions();
  }

  private record Versions(Map<String, String> versions) {}

  private <T> T read(Call call, Class<T> type) {
    return transport.read(call, transport.send(call).body(), type);
  }

  private static String path(String id) {
    return JOBS + "/" + known("job", id);
  }

  private static String known(String subject, String id) {
    ArgumentException.require(
        JobId.parse(id).isPresent(), subject, "an id of 32 hexadecimal digits", "'" + id + "'");
    return id;
  }

  /** Lets go of all connections; what is being asked fails. */
  @Override
  public void close() {
    transport.close();
  }
}
