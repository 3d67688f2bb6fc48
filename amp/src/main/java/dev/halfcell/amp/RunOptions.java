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
import java.util.OptionalLong;

/**
 * What a train cell runs on. Each method gives a changed copy.
 *
 * @param seedAsked what all random numbers follow from; a state that is passed has a seed of its
 *     own
 * @param backend what computes; none given means the most preferred one on the class path
 * @param state the values to train; none given means a new state
 * @param execution how steps are run
 * @param diagnosis what is watched meanwhile
 * @param collective the ranks that train together
 */
public record RunOptions(
    OptionalLong seedAsked,
    Optional<Backend> backend,
    Optional<TrainState> state,
    Execution execution,
    Diagnosis diagnosis,
    Collective collective) {
  public RunOptions {
    state.ifPresent(
        values ->
            ArgumentException.require(
                seedAsked.orElse(values.seed()) == values.seed(),
                "seed",
                values.seed() + ", the seed of the state that is passed",
                seedAsked.orElse(1)));
    ArgumentException.require(
        collective.size() == 1 || diagnosis.demotion().isEmpty(),
        "demotion",
        "one rank: several would move different cells",
        collective.size() + " ranks");
  }

  /** Seed 1; the preferred backend; a new state; compiled; nothing is watched. */
  public static RunOptions defaults() {
    return new RunOptions(
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Execution.planned(),
        Diagnosis.off(),
        Collective.single());
  }

  /** What all random numbers follow from: the state's seed, the one that was asked for, or 1. */
  public long seed() {
    return state.map(TrainState::seed).orElse(seedAsked.orElse(1));
  }

  /** With this seed. */
  public RunOptions seed(long number) {
    return new RunOptions(
        OptionalLong.of(number), backend, state, execution, diagnosis, collective);
  }

  /** On this backend, which stays the caller's to close. */
  public RunOptions backend(Backend computes) {
    return new RunOptions(
        seedAsked, Optional.of(computes), state, execution, diagnosis, collective);
  }

  /** On these values, which stay the caller's to close. */
  public RunOptions state(TrainState values) {
    return new RunOptions(
        seedAsked, backend, Optional.of(values), execution, diagnosis, collective);
  }

  /** Run this way. */
  public RunOptions execution(Execution way) {
    return new RunOptions(seedAsked, backend, state, way, diagnosis, collective);
  }

  /** Watched this way. */
  public RunOptions diagnosis(Diagnosis watched) {
    return new RunOptions(seedAsked, backend, state, execution, watched, collective);
  }

  /** As one rank of several, which start from the same seed or the same state. */
  public RunOptions collective(Collective ranks) {
    return new RunOptions(seedAsked, backend, state, execution, diagnosis, ranks);
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
