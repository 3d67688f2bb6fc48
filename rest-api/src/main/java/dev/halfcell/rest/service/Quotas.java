package dev.halfcell.rest.service;

import dev.halfcell.rest.store.JobStore;
import dev.halfcell.zoo.job.JobSpecification;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** What jobs may take beside memory and places in the queue. Threads may share it. */
public final class Quotas {
  /** So old may the figures be by which a job is taken; it is refused by fresh ones only. */
  private static final Duration OLD = Duration.ofSeconds(3);

  private static final Duration FRESH = Duration.ofMillis(500);
  private static final double GIB = 1L << 30;

  private final Limits limits;
  private final StoredBytes stored;
  private final Preview preview;

  /**
   * How much of what; as much as there is where empty.
   *
   * @param stored bytes of the files of all jobs
   * @param ownerStored the same of one owner's
   * @param trainingFlops floating-point operations of one training
   */
  public record Limits(
      Optional<Long> stored, Optional<Long> ownerStored, Optional<Double> trainingFlops) {
    /** None. */
    public static Limits none() {
      return new Limits(Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  /** Those of a server. */
  public Quotas(Limits limits, JobStore store, JobFolders folders, Admission admission) {
    this.limits = limits;
    this.stored = new StoredBytes(store, folders);
    this.preview = new Preview(admission);
  }

  /**
   * Throws where an owner's jobs, or all, hold as many bytes as they may: what a new one will write
   * is not known before.
   */
  void requireRoom(String owner) {
    limits
        .ownerStored()
        .ifPresent(most -> requireRoom(most, "your jobs", counted -> counted.of(owner)));
    limits.stored().ifPresent(most -> requireRoom(most, "all jobs", StoredBytes.Counted::all));
  }

  private void requireRoom(long most, String whose, ToLongFunction<StoredBytes.Counted> bytes) {
    if (bytes.applyAsLong(stored.counted(OLD)) >= most) {
      long now = bytes.applyAsLong(stored.counted(FRESH));
      if (now >= most) {
        throw RefusedException.tooMuch(
            String.format(
                Locale.ROOT,
                "The files of %s hold %.2f GiB (%d bytes), and may hold %.2f GiB (%d bytes). Delete"
                    + " jobs that are over.",
                whose,
                now / GIB,
                now,
                most / GIB,
                most));
      }
    }
  }

  /** Throws where a training takes more operations than one may, as far as they can be told. */
  void requireFlops(JobSpecification resolved) {
    if (limits.trainingFlops().isEmpty()) {
      return;
    }
    double most = limits.trainingFlops().get();
    Preview.Length length = preview.length(resolved);
    OptionalLong each = length.flops();
    double all = each.orElse(0) * (double) length.totalSteps();
    if (all > most) {
      throw RefusedException.invalid(
          "/training",
          String.format(
              Locale.ROOT,
              "takes about %.3g floating-point operations (%d steps of %.3g), and may take %.3g."
                  + " Take fewer steps or a smaller network.",
              all,
              length.totalSteps(),
              (double) each.orElse(0),
              most));
    }
  }
}
