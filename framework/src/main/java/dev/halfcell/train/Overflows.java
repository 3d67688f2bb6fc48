package dev.halfcell.train;

import dev.halfcell.train.diagnosis.Offender;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What follows where a step overflows: its first offender is looked for and named to those who
 * asked, and the training ends where its rules say so. One thread.
 */
final class Overflows {
  private final Optional<OffenderWatch> watch;
  private final Refusals refusals;
  private Optional<Offender> inWindow = Optional.empty();
  private Optional<StepResult> fatal = Optional.empty();

  Overflows(Optional<OffenderWatch> watch, Refusals refusals) {
    this.watch = watch;
    this.refusals = refusals;
  }

  /** Whether steps are described in another way than before. */
  boolean stepChanged() {
    return watch.isPresent() && watch.get().changed();
  }

  /** Whether the rule of the loss scale gives up where the step to come overflows. */
  boolean lastChance() {
    return refusals.lastChance();
  }

  /** Whether the last step was refused and one more could be one too many. */
  boolean nearEnd() {
    return refusals.nearEnd();
  }

  /** The result of a step on one batch, with its first offender where that was asked for. */
  StepResult ofStep(StepResult result, boolean lastChance, Supplier<Optional<Offender>> search) {
    if (!result.overflow()) {
      return result;
    }
    Optional<Offender> first = watch.isPresent() ? search.get() : Optional.empty();
    return judged(told(result, first), lastChance, () -> first.or(search));
  }

  /** The result that the training was ended for; none where it was not. */
  Optional<StepResult> fatal() {
    return fatal;
  }

  private StepResult judged(
      StepResult result, boolean lastChance, Supplier<Optional<Offender>> first) {
    fatal = Optional.of(result);
    refusals.judge(result, lastChance, first);
    fatal = Optional.empty();
    return result;
  }

  /** The same of a micro-batch; the first offender is looked for where the window may need it. */
  StepResult ofMicroBatch(StepResult result, Supplier<Optional<Offender>> search) {
    if (!result.overflow()) {
      return result;
    }
    boolean named = watch.isPresent() || refusals.mayEnd();
    Optional<Offender> first = named ? search.get() : Optional.empty();
    inWindow = inWindow.or(() -> first);
    return judged(result.first(shown(first)), false, () -> first.or(search));
  }

  /**
   * The same of the step that ends a window: the first offender is that of its micro-batches, be
   * the window refused for it or the micro-batch dropped.
   */
  StepResult ofWindow(StepResult result, boolean lastChance) {
    Optional<Offender> first = inWindow;
    inWindow = Optional.empty();
    return judged(told(result, first), lastChance, () -> first);
  }

  private StepResult told(StepResult result, Optional<Offender> first) {
    StepResult named = result.first(shown(first));
    if (first.isPresent()) {
      watch.ifPresent(by -> by.found(named));
    }
    return named;
  }

  /** What a result says of it: nothing unless that was asked for. */
  private Optional<Offender> shown(Optional<Offender> first) {
    return first.filter(_ -> watch.isPresent());
  }
}
