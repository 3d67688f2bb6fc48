package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Trace;
import dev.halfcell.rest.service.RefusedException;
import dev.halfcell.rest.store.StoreException;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;

/**
 * What is answered where something was thrown. What a client may know is told, and nothing else.
 */
final class Failures {
  private static final System.Logger LOG = System.getLogger(Failures.class.getName());
  private static final String RETRY = "Retry-After";

  private Failures() {}

  static Refusal refusal(RuntimeException thrown, Trace trace) {
    Refusal refusal =
        switch (thrown) {
          case Refusal known -> known;
          case RefusedException refused -> Refusal.of(refused);
          case ArgumentException wrong -> Refusal.of(RefusedException.invalid(wrong));
          case StoreException broken ->
              unavailable(
                  "The store cannot be read or written now: expected "
                      + broken.problem().expected()
                      + ".",
                  broken,
                  trace);
          case DataException broken ->
              unavailable("The disk cannot be read or written now.", broken, trace);
          default -> defect(thrown, trace);
        };
    return switch (refusal.kind()) {
      case TOO_MANY, UNAVAILABLE ->
          refusal.headers().containsKey(RETRY) ? refusal : refusal.with(RETRY, "1");
      default -> refusal;
    };
  }

  private static Refusal unavailable(String detail, RuntimeException cause, Trace trace) {
    LOG.log(
        System.Logger.Level.WARNING, "{0} {1} (trace {2})", detail, cause.getMessage(), trace.id());
    return Refusal.of(ProblemKind.UNAVAILABLE, detail);
  }

  /** What nobody may know more of than that it is there. */
  static Refusal defect(Throwable thrown, Trace trace) {
    LOG.log(
        System.Logger.Level.ERROR,
        "a request could not be answered (trace " + trace.id() + ")",
        thrown);
    return Refusal.of(ProblemKind.INTERNAL, "The server has a defect; its log says more.");
  }
}
