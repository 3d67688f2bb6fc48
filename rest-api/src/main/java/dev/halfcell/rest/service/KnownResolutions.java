package dev.halfcell.rest.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.Identity;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What specifications come to, as many kinds of them as there is room for. To find it out, the
 * network is built and described, which takes longer than all else of a submission; jobs of a sweep
 * differ by their {@link Identity} alone, and come to the same but for it. Threads may share it.
 */
final class KnownResolutions {
  private static final long MOST_CHARACTERS = 1 << 20;

  /** What kinds come to, the first of each as it was. */
  private final Cache<JobSpecification, JobSpecification> known;

  /** None is known yet. */
  KnownResolutions() {
    this(MOST_CHARACTERS);
  }

  /**
   * With so much room.
   *
   * @param mostCharacters of what kinds say, as JSON
   */
  KnownResolutions(long mostCharacters) {
    known =
        Caffeine.newBuilder()
            .maximumWeight(mostCharacters)
            .weigher((JobSpecification kind, JobSpecification _) -> kind.json().length())
            .executor(Runnable::run)
            .build();
  }

  /**
   * What a text says, checked whole.
   *
   * @param below the pointer of the text in the request
   * @throws RefusedException with all that is wrong
   */
  CheckedSpecification check(String text, String below) {
    return read(text).flatMap(this::known).orElseGet(() -> checked(text, below));
  }

  /**
   * What Java put together, checked whole.
   *
   * @throws RefusedException with what is wrong
   */
  CheckedSpecification check(JobSpecification said) {
    try {
      return known(said).orElseGet(() -> kept(CheckedSpecification.of(said)));
    } catch (HalfCellException refusal) {
      throw RefusedException.invalid(refusal);
    }
  }

  private static Optional<JobSpecification> read(String text) {
    try {
      return Optional.of(JobSpecification.ofJson(text));
    } catch (ArgumentException _) {
      // Not all that is wrong: that is for the whole check.
      return Optional.empty();
    }
  }

  private CheckedSpecification checked(String text, String below) {
    List<FieldError> wrong = new ArrayList<>();
    return JobSpecification.check(
            text, problems -> problems.forEach(each -> wrong.add(FieldError.of(each, below))))
        .map(this::kept)
        .orElseThrow(() -> RefusedException.invalid(wrong));
  }

  private CheckedSpecification kept(CheckedSpecification checked) {
    known.put(Identity.kind(checked.said()), checked.resolved());
    return checked;
  }

  private Optional<CheckedSpecification> known(JobSpecification said) {
    return Optional.ofNullable(known.getIfPresent(Identity.kind(said)))
        .map(first -> new CheckedSpecification(said, resolved(said, first)));
  }

  private static JobSpecification resolved(JobSpecification said, JobSpecification first) {
    Identity own = Identity.of(said);
    Optional<Long> seed = own.seed().or(() -> first.training().seed());
    return new Identity(own.name(), own.labels(), own.priority(), seed).on(first);
  }
}
