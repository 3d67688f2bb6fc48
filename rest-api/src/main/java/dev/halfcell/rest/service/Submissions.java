package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Acceptance;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.zoo.job.JobSpecification;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Takes jobs into the queue. Threads may share it. */
public final class Submissions {
  private final JobStore store;
  private final Workers workers;
  private final Admission admission;
  private final AcceptLimits limits;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final AtomicBoolean draining = new AtomicBoolean();

  /** Those into a store. */
  public Submissions(
      JobStore store, Workers workers, Admission admission, AcceptLimits limits, Clock clock) {
    this.store = store;
    this.workers = workers;
    this.admission = admission;
    this.limits = limits;
    this.clock = clock;
  }

  /** From now on none is taken: the server ends. */
  public void drain() {
    draining.set(true);
  }

  /** Whether jobs are taken. */
  public boolean open() {
    return !draining.get();
  }

  /** How many may wait. */
  public AcceptLimits limits() {
    return limits;
  }

  /**
   * What a text says, checked whole.
   *
   * @param below the pointer of the text in the request
   * @throws RefusedException with all that is wrong
   */
  public static JobSpecification specification(String text, String below) {
    List<FieldError> wrong =
        JobSpecification.problems(text).stream()
            .map(problem -> FieldError.of(problem, below))
            .toList();
    if (!wrong.isEmpty()) {
      throw RefusedException.invalid(wrong);
    }
    return JobSpecification.ofJson(text);
  }

  /** The most that a job may hold. */
  public long mostBytes() {
    return admission.limits().most();
  }

  /** What a specification needs. */
  public Admission.Admitted admit(JobSpecification specification) {
    return admission.admit(specification);
  }

  /**
   * Takes a job.
   *
   * @param text what was sent
   * @throws RefusedException where it makes no sense or there is no room for it
   */
  public Submitted submit(String text, Submission how, Optional<Origin> from) {
    requireOpen();
    return submit(text, specification(text, ""), how, from);
  }

  /** The same for what was read already. */
  Submitted submit(
      String text, JobSpecification specification, Submission how, Optional<Origin> from) {
    requireOpen();
    Admission.Admitted admitted = admission.admit(specification);
    NewJob job =
        new NewJob(
            JobId.random(random),
            how.owner(),
            how.key(),
            how.externalId(),
            description(specification),
            admitted.network(),
            admitted.level(),
            text,
            admitted.resolved().json(),
            admitted.memory().bytes(),
            from,
            clock.instant());
    Submitted submitted = submitted(store.accept(job, limits));
    workers.queueChanged();
    return submitted;
  }

  private void requireOpen() {
    if (draining.get()) {
      throw RefusedException.unavailable("The server ends; send it again to the next one.");
    }
  }

  private static Description description(JobSpecification specification) {
    return new Description(
        specification.name(),
        specification.labels(),
        Optional.empty(),
        specification.priority().orElse(0),
        false);
  }

  private static Submitted submitted(Acceptance acceptance) {
    return switch (acceptance) {
      case Acceptance.Accepted(var job) -> new Submitted(job, false);
      case Acceptance.Replayed(var job) -> new Submitted(job, true);
      case Acceptance.KeyReused(var job) ->
          throw RefusedException.conflict(
              "The Idempotency-Key was sent before with another request; that made another job.",
              job);
      case Acceptance.ExternalIdTaken(var job) ->
          throw RefusedException.conflict("You have a job of that externalId.", job);
      case Acceptance.QueueFull(long waiting, long most) ->
          throw RefusedException.tooMuch(
              waiting + " jobs wait, and no more than " + most + " may.");
      case Acceptance.QuotaReached(long live, long most) ->
          throw RefusedException.tooMuch(
              "You have " + live + " jobs that are not over, and may have " + most + ".");
    };
  }
}
