package dev.halfcell.amp;

import dev.halfcell.amp.diagnosis.Diagnosis;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.OffenderWatch;
import dev.halfcell.train.TrainLoop;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.TrainStep;
import java.util.Optional;

/**
 * What a train cell runs on. Each method gives a changed copy.
 *
 * @param seed what all random numbers of a new state follow from
 * @param backend what computes; none given means the most preferred one on the class path
 * @param state the values to train; none given means a new state
 * @param execution how steps are run
 * @param diagnosis what is watched meanwhile
 * @param collective the ranks that train together
 */
public record RunOptions(
    long seed,
    Optional<Backend> backend,
    Optional<TrainState> state,
    Execution execution,
    Diagnosis diagnosis,
    Collective collective) {
  public RunOptions {
    ArgumentException.require(
        collective.size() == 1 || diagnosis.demotion().isEmpty(),
        "demotion",
        "one rank: several would move different cells",
        collective.size() + " ranks");
  }

  /** Seed 1; the preferred backend; a new state; compiled; nothing is watched. */
  public static RunOptions defaults() {
    return new RunOptions(
        1,
        Optional.empty(),
        Optional.empty(),
        Execution.planned(),
        Diagnosis.off(),
        Collective.single());
  }

  /** With this seed. */
  public RunOptions seed(long number) {
    return new RunOptions(number, backend, state, execution, diagnosis, collective);
  }

  /** On this backend, which stays the caller's to close. */
  public RunOptions backend(Backend computes) {
    return new RunOptions(seed, Optional.of(computes), state, execution, diagnosis, collective);
  }

  /** On these values, which stay the caller's to close. */
  public RunOptions state(TrainState values) {
    return new RunOptions(seed, backend, Optional.of(values), execution, diagnosis, collective);
  }

  /** Run this way. */
  public RunOptions execution(Execution way) {
    return new RunOptions(seed, backend, state, way, diagnosis, collective);
  }

  /** Watched this way. */
  public RunOptions diagnosis(Diagnosis watched) {
    return new RunOptions(seed, backend, state, execution, watched, collective);
  }

  /** As one rank of several, which start from the same seed or the same state. */
  public RunOptions collective(Collective ranks) {
    return new RunOptions(seed, backend, state, execution, diagnosis, ranks);
  }

  /** An own loop of a step on these, run and watched as the options say. */
  TrainLoop loop(TrainStep step, TrainState values, Backend computes) {
    TrainStepCell.requireUnmodified(step.scale(), diagnosis);
    ArgumentException.require(
        diagnosis.demotion().isEmpty(),
        "demotion",
        "a train cell, which moves cells of its own plan",
        "an own loop");
    Optional<OffenderWatch> watch =
        diagnosis.firstOffender() ? Optional.of(OffenderWatch.naming()) : Optional.empty();
    return new TrainLoop(step, values, computes, diagnosis.execution(execution), watch, collective);
  }
}
