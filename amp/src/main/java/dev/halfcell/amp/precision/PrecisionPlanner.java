package dev.halfcell.amp.precision;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.NormalizationCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.DType;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Decides for each cell of a network how it computes: its own flags first, then whether its class
 * denies half, then (O1) whether it gains from half, then the level. A pure function; the network
 * is only read.
 */
final class PrecisionPlanner {
  private final Level level;
  private final DType half;
  private final Optional<Boolean> keepBatchNormFp32;
  private final Map<Cell, CellPath> paths;
  private final Set<Cell> met = new HashSet<>();
  private final Map<CellPath, Decision> decisions = new LinkedHashMap<>();

  private PrecisionPlanner(Cell net, Level level, PrecisionOptions options) {
    this.level = level;
    this.half = options.half();
    this.keepBatchNormFp32 = options.keepBatchNormFp32();
    this.paths = net.paths();
  }

  static PrecisionPlan plan(Cell net, Level level, PrecisionOptions options) {
    PrecisionPlanner planner = new PrecisionPlanner(net, level, options);
    planner.decide(net, Optional.empty());
    return new PrecisionPlan(level, planner.decisions, options.numerics());
  }

  /**
   * A wrapped cell stands at the path of the cell around it, which computes nothing itself: the
   * inner one's decision counts. A cell used twice is decided where it is first met.
   */
  private void decide(Cell cell, Optional<Decision> around) {
    if (!met.add(cell)) {
      return;
    }
    Decision mine = decision(cell, around);
    decisions.put(path(cell), mine);
    cell.children().values().forEach(child -> decide(child, Optional.of(mine)));
  }

  private CellPath path(Cell cell) {
    return Objects.requireNonNull(paths.get(cell), "every cell of the network has a path");
  }

  private Decision decision(Cell cell, Optional<Decision> around) {
    String name = cell.getClass().getSimpleName();
    boolean deny = cell.precision() == PrecisionClass.DENY;
    if (cell.precision() == PrecisionClass.FULL) {
      return new Decision(name, Treatment.FULL, half, new Reason.IsLoss(name));
    }
    if (cell.requested().isPresent()) {
      return requested(name, cell.requested().get(), deny);
    }
    if (deny && level != Level.O0) {
      return denied(cell, around);
    }
    Optional<Reason> inherited = around.map(Decision::because).filter(Reason::heldBelow);
    if (inherited.isPresent()) {
      return new Decision(name, Treatment.FULL, half, inherited.get());
    }
    if (level == Level.O1 && cell.precision() == PrecisionClass.ALLOW) {
      return new Decision(name, Treatment.HALF, half, new Reason.Allowed(name));
    }
    return new Decision(name, byLevel(), half, new Reason.ByLevel(level));
  }

  private Decision requested(String name, DType asked, boolean deny) {
    Treatment inHalf = deny || level == Level.O3 ? Treatment.HALF_THROUGHOUT : Treatment.HALF;
    Treatment treatment = asked == DType.FP32 ? Treatment.FULL : inHalf;
    return new Decision(name, treatment, asked.half() ? asked : half, new Reason.Requested(asked));
  }

  /**
   * A cell that denies half: FP32 inside at O1 and O2, half data at O3, unless the option says
   * otherwise of a normalisation.
   */
  private Decision denied(Cell cell, Optional<Decision> around) {
    String name = cell.getClass().getSimpleName();
    Optional<Boolean> option = keepBatchNormFp32.filter(_ -> cell instanceof NormalizationCell);
    boolean keep = option.orElse(level != Level.O3);
    Reason because =
        option
            .<Reason>map(Reason.KeepBatchNorm::new)
            .orElse(level == Level.O3 ? new Reason.ByLevel(level) : new Reason.Denied(name));
    if (!keep) {
      return new Decision(name, Treatment.HALF_THROUGHOUT, half, because);
    }
    Optional<Decision> halfAround = around.filter(Decision::inHalf);
    Treatment treatment = halfAround.isPresent() ? Treatment.FULL_THEN_HALF : Treatment.FULL;
    return new Decision(name, treatment, halfAround.map(Decision::half).orElse(half), because);
  }

  private Treatment byLevel() {
    return switch (level) {
      case O0 -> Treatment.FULL;
      case O1 -> Treatment.PER_OP;
      case O2 -> Treatment.HALF;
      case O3 -> Treatment.HALF_THROUGHOUT;
    };
  }
}
