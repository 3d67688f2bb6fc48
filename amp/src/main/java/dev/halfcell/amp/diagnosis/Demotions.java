package dev.halfcell.amp.diagnosis;

import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.amp.precision.Reason;
import dev.halfcell.amp.precision.Treatment;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.train.OffenderWatch;
import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.diagnosis.Offender;
import java.util.Map;

/**
 * Moves cells to FP32 that were first offenders too often. What it counts and has decided is part
 * of the run's state: a run that goes on from a checkpoint has the same plan. One thread.
 */
public final class Demotions implements OffenderWatch {
  private static final int MOST_WAITED = 64;

  private final PrecisionPlan asked;
  private final LossScale scale;
  private final DemotionLedger ledger;
  private Map<CellPath, Reason.Demoted> demoted = Map.of();
  private PrecisionPlan plan;
  private PrecisionPlan described;

  /**
   * Demotions from a plan, which has to have cells that are not FP32.
   *
   * @param scale the rule of the loss scale
   * @param state gets the ledger, unless it has it
   * @param name of the step, where several share the state; else empty
   */
  public Demotions(
      PrecisionPlan asked, Demotion rule, LossScale scale, TrainState state, String name) {
    rule.require(asked);
    this.asked = asked;
    this.scale = scale;
    this.plan = asked;
    this.described = asked;
    this.ledger = new DemotionLedger(asked.cells().keySet(), rule, state, name);
  }

  /** The plan as it is now: the state may have been read from a checkpoint meanwhile. */
  public PrecisionPlan plan() {
    Map<CellPath, Reason.Demoted> now = ledger.demoted();
    if (!now.equals(demoted)) {
      demoted = now;
      plan = asked.demoted(now);
    }
    return plan;
  }

  @Override
  public void found(StepResult result) {
    result
        .firstOffender()
        .filter(offender -> counts(offender, result) && demotable(offender.path()))
        .ifPresent(ledger::offended);
  }

  private boolean counts(Offender offender, StepResult result) {
    return switch (offender.direction()) {
      case FORWARD -> true;
      case BACKWARD -> !canFall(result.usedScale());
      case UPDATE -> false;
    };
  }

  /** Whether overflows would bring the scale below this one; some rules wait for the next. */
  private boolean canFall(double from) {
    LossScale.State state = new LossScale.State(from, 0, scale.start().words());
    for (int overflow = 0; overflow < MOST_WAITED && state.scale() >= from; overflow++) {
      state = scale.next(state, LossScale.Verdict.of(false));
    }
    return state.scale() < from;
  }

  private boolean demotable(CellPath path) {
    return asked.cells().containsKey(path) && plan().treatment(path) != Treatment.FULL;
  }

  @Override
  public boolean changed() {
    PrecisionPlan before = described;
    described = plan();
    return !before.equals(described);
  }
}
