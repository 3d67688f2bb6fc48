package dev.halfcell.amp.precision;

import dev.halfcell.amp.precision.PrecisionLists.Hit;
import dev.halfcell.amp.precision.Reason.IsLoss;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.NormalizationCell;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Decides for each cell of a network how it computes: its own flags first, then the user's lists,
 * then whether its class denies half, then (O1) whether it gains from half, then the level. A pure
 * function; the network is only read.
 */
final class PrecisionPlanner {
  private final Level level;
  private final Level rules; // the level whose rules the network follows
  private final PrecisionOptions options;
  private final DType half;
  private final Map<Cell, CellPath> paths;
  private final Set<Cell> met = new HashSet<>();
  private final Set<Cell> losses = new HashSet<>();
  private final Map<CellPath, Decision> decisions = new LinkedHashMap<>();
  private final Set<CellPath> elsewhere = new HashSet<>(); // losses, and cells of another plan
  private final Set<CellPath> ends = new HashSet<>(Set.of(CellPath.ROOT));

  private PrecisionPlanner(Cell net, Level level, PrecisionOptions options) {
    this.level = level;
    this.rules = rules(level, options);
    this.options = options;
    this.half = options.half();
    this.paths = net.paths();
  }

  /** Source of the overrides: MindSpore, amp.build_train_network, its decision order. */
  private static Level rules(Level level, PrecisionOptions options) {
    if (options.castModelType().isEmpty()) {
      return level;
    }
    boolean inHalf = level == Level.O2 || level == Level.O3;
    boolean keep = options.keepBatchNormFp32().orElse(false);
    Level half = keep ? Level.O2 : Level.O3;
    return options.castModelType().get().half() ? (inHalf ? level : half) : Level.O0;
  }

  static PrecisionPlan plan(Cell net, Level level, PrecisionOptions options) {
    PrecisionPlanner planner = new PrecisionPlanner(net, level, options);
    planner.decide(net, Optional.empty());
    planner.requireMeant();
    Map<CellPath, DType> partials = options.numerics().partials().at(planner.paths);
    planner.decisions.replaceAll(
        (at, decision) -> decision.summingIn(partials.getOrDefault(at, DType.FP32)));
    return new PrecisionPlan(level, planner.decisions, options.numerics(), planner.ends);
  }

  /** A path that nothing stands at was misspelt, and would silently change nothing. */
  private void requireMeant() {
    Set<CellPath> cells = new LinkedHashSet<>(decisions.keySet());
    cells.removeAll(elsewhere);
    options.parts().requireAmong(cells);
    options
        .lists()
        .hits()
        .forEach(
            hit -> {
              if (hit.entry() instanceof Selector.Paths(var pattern)
                  && cells.stream().noneMatch(pattern::matches)) {
                throw new ArgumentException(
                    new Problem(
                        "precision list",
                        "",
                        "a pattern that matches a cell other than a loss",
                        "'" + pattern.text() + "', which matches none",
                        "explain() lists the paths of all cells."));
              }
            });
  }

  /**
   * A wrapped cell stands at the path of the cell around it, which computes nothing itself: the
   * inner one's decision counts. A cell used twice is decided where it is first met.
   */
  private void decide(Cell cell, Optional<Decision> around) {
    if (!met.add(cell)) {
      return;
    }
    if (cell instanceof MixedPrecisionCell own) {
      adopt(own);
      return;
    }
    CellPath at = path(cell);
    boolean loss = cell.precision() == PrecisionClass.FULL || losses.contains(cell);
    Decision mine = loss ? loss(cell, at) : decision(cell, at, around);
    decisions.put(at, mine);
    if (cell instanceof WithLossCell judged) {
      losses.add(judged.loss());
    }
    cell.children().values().forEach(child -> decide(child, Optional.of(mine)));
  }

  /** A cell that brings a plan is not this one's to decide, nor is what stands below it. */
  private void adopt(MixedPrecisionCell own) {
    ends.add(path(own));
    own.decisions()
        .forEach(
            (cell, decision) -> {
              if (met.add(cell)) {
                decisions.put(path(cell), decision);
                elsewhere.add(path(cell));
              }
            });
  }

  private CellPath path(Cell cell) {
    return Objects.requireNonNull(paths.get(cell), "every cell of the network has a path");
  }

  /** FP32, unless half was asked for of the loss itself. */
  private Decision loss(Cell cell, CellPath at) {
    elsewhere.add(at);
    Optional<DType> asked = cell.requestedOfItself().filter(DType::half);
    return asked
        .map(
            dtype -> made(cell, Treatment.HALF_LOSS, dtype, new Reason.Requested(dtype, "toFloat")))
        .orElseGet(() -> made(cell, Treatment.FULL, half, new IsLoss(name(cell))));
  }

  private Decision decision(Cell cell, CellPath at, Optional<Decision> around) {
    Optional<Reason.Requested> requested = requested(cell, at);
    if (requested.isPresent()) {
      return asked(cell, requested.get());
    }
    Optional<Hit> above = around.flatMap(PrecisionPlanner::entry);
    Optional<Hit> own =
        options.lists().of(cell, at).filter(hit -> above.stream().allMatch(hit::outranks));
    if (own.isPresent()) {
      return listed(cell, own.get(), around);
    }
    Optional<Decision> holds = around.filter(decision -> decision.because().heldBelow());
    if (above.filter(hit -> hit.list() == PrecisionClass.DENY).isPresent()) {
      return below(cell, around.orElseThrow());
    }
    boolean inLoss = holds.filter(decision -> decision.because() instanceof IsLoss).isPresent();
    if (!inLoss && denies(cell, holds)) {
      return denied(cell, around);
    }
    if (holds.isPresent()) {
      return below(cell, holds.get());
    }
    if (rules == Level.O1 && cell.precision() == PrecisionClass.ALLOW) {
      return made(cell, Treatment.HALF, half, new Reason.Allowed(name(cell)));
    }
    return made(cell, byLevel(), half, ofLevel());
  }

  /** The cell's own flag, and what is said of its part as if that had been flagged: FP32 wins. */
  private Optional<Reason.Requested> requested(Cell cell, CellPath at) {
    Optional<Reason.Requested> flag = cell.requested().map(Reason.Requested::new);
    Optional<Reason.Requested> part =
        options
            .parts()
            .of(at)
            .map(found -> new Reason.Requested(found.dtype(), "part " + found.path()));
    return flag.filter(own -> own.dtype() == DType.FP32)
        .or(() -> part.filter(said -> said.dtype() == DType.FP32))
        .or(() -> flag)
        .or(() -> part);
  }

  private Decision asked(Cell cell, Reason.Requested request) {
    DType dtype = request.dtype();
    return dtype.half()
        ? made(cell, inHalf(cell), dtype, request)
        : made(cell, Treatment.FULL, half, request);
  }

  /** A cell that is half on request; one that needs FP32 then computes as at O3. */
  private Treatment inHalf(Cell cell) {
    boolean throughout = cell.precision() == PrecisionClass.DENY || rules == Level.O3;
    return throughout ? Treatment.HALF_THROUGHOUT : Treatment.HALF;
  }

  private Decision listed(Cell cell, Hit hit, Optional<Decision> around) {
    Reason because = new Reason.Listed(hit);
    return switch (hit.list()) {
      case DENY -> full(cell, around, because);
      case ALLOW -> made(cell, inHalf(cell), half, because);
      case INFER -> made(cell, Treatment.WIDEST, half, because);
      case FULL, KEEP -> throw new AssertionError("no list of " + hit.list());
    };
  }

  /** The entry that a cell was decided by, which means those below it too. */
  private static Optional<Hit> entry(Decision decision) {
    return decision.because() instanceof Reason.Listed(Hit hit)
        ? Optional.of(hit)
        : Optional.empty();
  }

  /** As the cell around it, for the same reason. */
  private Decision below(Cell cell, Decision around) {
    Treatment treatment =
        switch (around.treatment()) {
          case FULL, FULL_THEN_HALF -> Treatment.FULL;
          case PER_OP, WIDEST, HALF, HALF_LOSS, HALF_THROUGHOUT -> around.treatment();
        };
    return made(cell, treatment, around.half(), around.because());
  }

  /**
   * Whether the cell's class makes it FP32: where nothing else is half there is nothing to deny.
   */
  private boolean denies(Cell cell, Optional<Decision> holds) {
    boolean half =
        switch (rules) {
          case O0 -> holds.isPresent();
          case AUTO -> holds.isPresent() || keepBatchNorm(cell).isPresent();
          case O1, O2, O3 -> true;
        };
    return half && cell.precision() == PrecisionClass.DENY;
  }

  private Optional<Boolean> keepBatchNorm(Cell cell) {
    return options.keepBatchNormFp32().filter(_ -> cell instanceof NormalizationCell);
  }

  /**
   * A cell that denies half: FP32 inside at O1 and O2, half data at O3, unless the option says
   * otherwise of a normalisation.
   */
  private Decision denied(Cell cell, Optional<Decision> around) {
    Optional<Boolean> option = keepBatchNorm(cell);
    boolean keep = option.orElse(rules != Level.O3);
    Reason byClass = rules == Level.O3 ? ofLevel() : new Reason.Denied(name(cell));
    Reason because = option.<Reason>map(Reason.KeepBatchNorm::new).orElse(byClass);
    return keep
        ? full(cell, around, because)
        : made(cell, Treatment.HALF_THROUGHOUT, half, because);
  }

  /** FP32 inside; where the cell around it is half, the result is rounded on leaving. */
  private Decision full(Cell cell, Optional<Decision> around, Reason because) {
    return around
        .filter(Decision::inHalf)
        .map(outer -> made(cell, Treatment.FULL_THEN_HALF, outer.half(), because))
        .orElseGet(() -> made(cell, Treatment.FULL, half, because));
  }

  private Treatment byLevel() {
    return switch (rules) {
      case O0 -> Treatment.FULL;
      case O1, AUTO -> Treatment.PER_OP;
      case O2 -> Treatment.HALF;
      case O3 -> Treatment.HALF_THROUGHOUT;
    };
  }

  private Reason ofLevel() {
    return options
        .castModelType()
        .<Reason>map(Reason.CastModelType::new)
        .orElse(new Reason.ByLevel(level));
  }

  private Decision made(Cell cell, Treatment treatment, DType half, Reason because) {
    Optional<DType> stored =
        cell.parameters().isEmpty() ? Optional.empty() : Optional.of(options.stored());
    return new Decision(name(cell), treatment, half, because, stored, DType.FP32, options);
  }

  private static String name(Cell cell) {
    return cell.getClass().getSimpleName();
  }
}
