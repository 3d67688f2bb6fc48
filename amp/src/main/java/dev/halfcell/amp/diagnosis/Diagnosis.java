package dev.halfcell.amp.diagnosis;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.train.Execution;
import dev.halfcell.train.diagnosis.Trap;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is watched while a network trains. Each method gives a changed copy.
 *
 * <p>Source of the exceptions: Graphcore, TensorFlow 1 API, set_floating_point_behaviour_options
 * (oflo, inv, div0).
 *
 * @param firstOffender whether a step that overflowed is run once more, op by op on the values as
 *     they were, to find what first was not finite
 * @param traps the floating-point exceptions that end the training; where there are any, every step
 *     runs op by op
 * @param demotion when a cell that offends is moved to FP32; none means never
 */
public record Diagnosis(boolean firstOffender, Set<Trap> traps, Optional<Demotion> demotion) {
  public Diagnosis {
    EnumSet<Trap> ordered = EnumSet.noneOf(Trap.class);
    ordered.addAll(traps);
    traps = Collections.unmodifiableSet(ordered);
    ArgumentException.require(
        firstOffender || demotion.isEmpty(), "demotion", "first offenders to be looked for", "not");
  }

  /** Nothing is watched. */
  public static Diagnosis off() {
    return new Diagnosis(false, Set.of(), Optional.empty());
  }

  /** Steps that overflow name their first offender. */
  public static Diagnosis on() {
    return new Diagnosis(true, Set.of(), Optional.empty());
  }

  /** With the first offender of steps that overflow looked for too. */
  public Diagnosis naming() {
    return new Diagnosis(true, traps, demotion);
  }

  /** With training ended by the first op that raises one of these; steps run op by op. */
  public Diagnosis stoppingAt(Trap... exceptions) {
    ArgumentException.require(
        exceptions.length > 0, "stoppingAt", "at least one floating-point exception", "none");
    return new Diagnosis(firstOffender, Set.copyOf(List.of(exceptions)), demotion);
  }

  /**
   * With cells moved to FP32 that are the first offender too often, which has it looked for. The
   * caller waits for each step to know whether it overflowed.
   */
  public Diagnosis demoting(Demotion rule) {
    return new Diagnosis(true, traps, Optional.of(rule));
  }

  /** How steps are run: as asked, or op by op where exceptions are watched. */
  public Execution execution(Execution asked) {
    return traps.isEmpty() ? asked : new Execution.Eager(traps);
  }
}
