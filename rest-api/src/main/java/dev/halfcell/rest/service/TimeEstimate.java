package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.zoo.job.Assembly;
import dev.halfcell.zoo.job.JobSpecification;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * How long a job would take, as the newest job of the same kind took that has succeeded on this
 * service. Two jobs are of one kind where their resolved specifications say the same of all that a
 * step takes time for; where none of the kind has succeeded, nothing is told. It may block; threads
 * may share it.
 */
public final class TimeEstimate {
  /** So many jobs of the same network and level are looked at, the newest first. */
  private static final int LATEST = 20;

  private static final String EARLY_STOPPING = "/training/earlyStopping";

  /** What is no part of a kind: a step takes no more or less time by it. */
  private static final List<JsonPointer> FREE =
      Stream.of(
              "/name",
              "/labels",
              "/priority",
              "/timeout",
              "/queueTimeout",
              "/stopGraceSeconds",
              "/retries",
              "/checkpoint",
              "/training/epochs",
              "/training/steps",
              EARLY_STOPPING,
              "/training/seed",
              "/training/schedule",
              "/training/optimizer/learningRate",
              "/resources/memoryLimit")
          .map(JsonPointer::compile)
          .toList();

  private static final JsonMapper JSON = new JsonMapper();

  private final JobStore store;

  /** One by the jobs of a store. */
  public TimeEstimate(JobStore store) {
    this.store = store;
  }

  /**
   * How long a job would take.
   *
   * @param seconds from the start of its worker to its end; without its time in the queue
   * @param secondsPerStep of these, for each step
   * @param measuredBy the job that took so long for a step
   */
  public record Expected(double seconds, double secondsPerStep, JobId measuredBy) {}

  /**
   * How long so many steps of a job would take, by the jobs that its caller sees.
   *
   * @param resolved what it would be, with all defaults filled in
   */
  public Optional<Expected> of(Caller caller, JobSpecification resolved, long steps) {
    JsonNode kind = kind(resolved.json());
    return latest(caller, new Assembly(resolved)).stream()
        .flatMap(job -> store.find(job.id()).stream())
        .filter(job -> kind(job.resolved()).equals(kind))
        .flatMap(job -> expected(job, steps).stream())
        .findFirst();
  }

  private List<JobSummary> latest(Caller caller, Assembly parts) {
    return store
        .list(
            new JobQuery(
                caller.onlyOwner(),
                Set.of(JobState.SUCCEEDED),
                Map.of(),
                Optional.of(parts.network().name()),
                Optional.of(parts.level().label()),
                JobQuery.Order.NEWEST,
                Optional.empty(),
                LATEST))
        .jobs();
  }

  private static JsonNode kind(String resolved) {
    JsonNode tree = JSON.readTree(resolved);
    for (JsonPointer free : FREE) {
      if (tree.at(free.head()) instanceof ObjectNode holder) {
        holder.remove(free.last().getMatchingProperty());
      }
    }
    return tree;
  }

  private static Optional<Expected> expected(Job job, long steps) {
    return secondsPerStep(job).map(each -> new Expected(steps * each, each, job.id()));
  }

  /**
   * By its last attempt alone, the start of the worker and the tests of the network included: how
   * long an earlier one took for the steps that were kept, nobody knows. None where that attempt
   * took no step, or the clock was set back meanwhile.
   */
  private static Optional<Double> secondsPerStep(Job job) {
    if (job.attempts().isEmpty()) {
      return Optional.empty();
    }
    Attempt last = job.attempts().getLast();
    Optional<Duration> took =
        last.endedAt()
            .map(end -> Duration.between(last.startedAt(), end))
            .filter(Duration::isPositive);
    Optional<Long> steps =
        last.fromStep()
            .flatMap(from -> reached(job).map(step -> step - from))
            .filter(own -> own > 0);
    return took.flatMap(time -> steps.map(own -> time.toNanos() / 1e9 / own));
  }

  /**
   * The step that it ended with: what its worker told last may be an earlier one, so that is asked
   * only where it may have stopped early.
   */
  private static Optional<Long> reached(Job job) {
    boolean whole = JSON.readTree(job.resolved()).at(EARLY_STOPPING).isMissingNode();
    return job.summary().progress().flatMap(at -> whole ? at.totalSteps() : Optional.of(at.step()));
  }
}
