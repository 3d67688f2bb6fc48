package dev.halfcell.rest.service;

import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.Identity;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What specifications come to. To find it out, the network is built and described, which takes
 * longer than all else of a submission; jobs of a sweep differ by their {@link Identity} alone, and
 * come to the same but for it. Threads may share it.
 */
final class KnownResolutions {
  /** By what was said; each without the identity of the first that came to it. */
  private final KnownKinds<JobSpecification> known;

  /** None is known yet. */
  KnownResolutions() {
    this(KnownKinds.MOST_CHARACTERS);
  }

  /** With so much room, as {@link KnownKinds} has it. */
  KnownResolutions(long mostCharacters) {
    known = new KnownKinds<>(mostCharacters, kind -> kind.json().length());
  }

  /**
   * What a text says, checked whole.
   *
   * @param below the pointer of the text in the request
   * @throws RefusedException with all that is wrong
   */
  CheckedSpecification check(String text, String below) {
    List<FieldError> wrong = new ArrayList<>();
    CheckedSpecification checked =
        JobSpecification.check(
                text,
                this::resolved,
                problems -> problems.forEach(each -> wrong.add(FieldError.of(each, below))))
            .orElseThrow(() -> RefusedException.invalid(wrong));
    if (known.find(checked.said()).isEmpty()) {
      known.keep(checked.said(), nameless(checked.resolved()));
    }
    return checked;
  }

  /** Without what only its own job has: labels may be long. */
  private static JobSpecification nameless(JobSpecification resolved) {
    return new Identity(Optional.empty(), Map.of(), Optional.empty(), resolved.training().seed())
        .on(resolved);
  }

  /** A seed that is not said is the usual one, which the kind has. */
  private Optional<JobSpecification> resolved(JobSpecification said) {
    Identity own = Identity.of(said);
    return known
        .find(said)
        .map(
            kind ->
                new Identity(
                        own.name(),
                        own.labels(),
                        own.priority(),
                        own.seed().or(() -> kind.training().seed()))
                    .on(kind));
  }
}
