package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A changed copy of a summary, one revision on. */
final class SummaryEdit {
  private final JobSummary old;
  private Description description;
  private JobState state;
  private StatusReason reason;
  private Optional<JobProgress> progress;
  private final Map<String, Double> metrics;
  private int attempt;
  private Optional<Instant> startedAt;
  private Optional<Instant> endedAt;

  SummaryEdit(JobSummary old) {
    this.old = old;
    description = old.description();
    state = old.state();
    reason = old.statusReason();
    progress = old.progress();
    metrics = new TreeMap<>(old.metrics());
    attempt = old.attempt();
    startedAt = old.startedAt();
    endedAt = old.endedAt();
  }

  SummaryEdit description(Description value) {
    description = value;
    return this;
  }

  SummaryEdit state(JobState value) {
    state = value;
    return this;
  }

  SummaryEdit reason(StatusReason value) {
    reason = value;
    return this;
  }

  SummaryEdit progress(Optional<JobProgress> value) {
    progress = value.or(() -> progress);
    return this;
  }

  SummaryEdit metrics(Map<String, Double> latest) {
    metrics.putAll(latest);
    return this;
  }

  /** Another one: how far it is its worker will say, for it begins at a checkpoint. */
  SummaryEdit attempt(int value) {
    attempt = value;
    progress = Optional.empty();
    return this;
  }

  /** That it trains since then, unless it did before. */
  SummaryEdit startedAt(Instant value) {
    startedAt = startedAt.or(() -> Optional.of(value));
    return this;
  }

  SummaryEdit endedAt(Instant value) {
    endedAt = Optional.of(value);
    return this;
  }

  JobSummary done() {
    return new JobSummary(
        old.id(),
        old.owner(),
        old.externalId(),
        description,
        old.network(),
        old.level(),
        state,
        reason,
        progress,
        metrics,
        attempt,
        old.estimatedBytes(),
        old.createdAt(),
        startedAt,
        endedAt,
        old.resumedFrom(),
        old.trace(),
        old.revision() + 1);
  }
}
