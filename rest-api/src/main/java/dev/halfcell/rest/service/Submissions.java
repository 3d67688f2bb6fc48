package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.store.Acceptance;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.JobSpecification;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Takes jobs into the queue. Threads may share it. */
public final class Submissions {
  private final JobStore store;
  private final Workers workers;
  private final Admission admission;
  private final Quotas quotas;
  private final AcceptLimits limits;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final KnownResolutions resolutions = new KnownResolutions();
  private final AtomicBoolean draining = new AtomicBoolean();

  /** Those into a store. */
  public Submissions(
      JobStore store,
      Workers workers,
      Admission admission,
      Quotas quotas,
      AcceptLimits limits,
      Clock clock) {
    this.store = store;
    this.workers = workers;
    this.admission = admission;
    this.quotas = quotas;
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

  /**
   * What a text says, checked whole.
   *
   * @param below the pointer of the text in the request
   * @throws RefusedException with all that is wrong
   */
  public CheckedSpecification specification(String text, String below) {
    return resolutions.check(text, below);
  }

  /** The most that a job may hold. */
  public long mostBytes() {
    return admission.limits().most();
  }

  /** What a specification needs, where that is no more than it may. */
  public Admission.Admitted admit(CheckedSpecification specification) {
    Admission.Admitted admitted = admission.admit(specification);
    quotas.requireFlops(admitted.resolved());
    return admitted;
  }

  /**
   * Takes a job.
   *
   * @param text what was sent
   * @throws RefusedException where it makes no sense or there is no room for it
   */
  public Submitted submit(String text, Submission how, Optional<Origin> from) {
    requireOpen();
    NewJob job = job(new Planned(text, specification(text, ""), how), from, clock.instant());
    Submitted submitted = submitted(store.accept(job, limits), 1);
    workers.queueChanged();
    return submitted;
  }

  /**
   * A job as it was sent.
   *
   * @param text what was sent
   * @param specification the same, read
   * @param how by whom, and by what it is known again
   */
  record Planned(String text, CheckedSpecification specification, Submission how) {}

  /** Takes all of these jobs of one owner, or none. */
  List<Submitted> submitAll(List<Planned> all) {
    requireOpen();
    Instant now = clock.instant();
    List<NewJob> jobs = new ArrayList<>();
    for (Planned one : all) {
      // Lists keep their order by it.
      jobs.add(job(one, Optional.empty(), now.plusNanos(jobs.size())));
    }
    List<Submitted> submitted =
        store.acceptAll(jobs, limits).stream()
            .map(accepted -> submitted(accepted, jobs.size()))
            .toList();
    workers.queueChanged();
    return submitted;
  }

  private NewJob job(Planned planned, Optional<Origin> from, Instant now) {
    Admission.Admitted admitted = admit(planned.specification());
    if (!replayed(planned.how())) {
      quotas.requireRoom(planned.how().owner());
    }
    return new NewJob(
        JobId.random(random),
        planned.how().owner(),
        planned.how().key(),
        planned.how().externalId(),
        description(planned.specification().said()),
        admitted.network(),
        admitted.level(),
        planned.text(),
        admitted.resolved().json(),
        admitted.memory().bytes(),
        from,
        planned.how().trace(),
        now);
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

  /** What was taken once is told again, whatever is full by now. */
  private boolean replayed(Submission how) {
    return how.key().flatMap(key -> store.keyed(how.owner(), key.text())).isPresent();
  }

  private static Submitted submitted(Acceptance acceptance, int sent) {
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
              waiting + " jobs wait, and no more than " + most + " may; you sent " + sent + ".");
      case Acceptance.QuotaReached(long live, long most) ->
          throw RefusedException.tooMuch(
              "You have "
                  + live
                  + " jobs that are not over, and may have "
                  + most
                  + "; you sent "
                  + sent
                  + ".");
    };
  }
}
