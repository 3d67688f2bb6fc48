package dev.halfcell.amp.precision;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Forward;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A network that brings its own precision: its ops are cast by its own plan, whatever executes
 * them. It stands in own loops, below other cells, and in a train cell, whose plan takes over the
 * cell's own for all below it: no op is cast by two plans. Parameters keep their names, and what
 * leaves is FP32.
 */
public final class MixedPrecisionCell extends Cell {
  private final Cell net;
  private final Level level;
  private final PrecisionOptions options;

  private MixedPrecisionCell(Cell net, Level level, PrecisionOptions options) {
    this.net = wrapped(net);
    this.level = level;
    this.options = options;
  }

  /**
   * {@code net} at this level. The network is only read; flags that are set later count too.
   *
   * @throws ArgumentException where the network as a whole has a plan of its own, which would make
   *     this one do nothing
   */
  public static MixedPrecisionCell of(Cell net, Level level, PrecisionOptions options) {
    own(net)
        .ifPresent(
            own -> {
              throw new ArgumentException(
                  new Problem(
                      "mixed precision",
                      "",
                      "a network without a precision of its own",
                      "one at level " + own.level(),
                      "Pass the network that was given to the first call."));
            });
    ArgumentException.require(
        options.numerics().equals(Numerics.defaults()),
        "mixed precision",
        "the default numerics in a cell: others are a whole step's, and an option of the train cell",
        options.numerics());
    MixedPrecisionCell made = new MixedPrecisionCell(net, level, options);
    Objects.requireNonNull(made.plan());
    return made;
  }

  private static Optional<MixedPrecisionCell> own(Cell net) {
    return net.paths().entrySet().stream()
        .filter(cell -> cell.getValue().equals(CellPath.ROOT))
        .map(Map.Entry::getKey)
        .filter(MixedPrecisionCell.class::isInstance)
        .map(MixedPrecisionCell.class::cast)
        .findFirst();
  }

  /** The level that was asked for. */
  public Level level() {
    return level;
  }

  /** Which cell computes how, by paths from this one. */
  public PrecisionPlan plan() {
    return PrecisionPlan.of(net, level, options);
  }

  /** The cells of the network with their decisions. */
  Map<Cell, Decision> decisions() {
    PrecisionPlan plan = plan();
    Map<Cell, Decision> decisions = new LinkedHashMap<>();
    net.paths()
        .forEach((cell, at) -> decisions.put(cell, Objects.requireNonNull(plan.cells().get(at))));
    return decisions;
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    return constructAll(f, inputs).getFirst();
  }

  @Override
  protected List<Tensor> constructAll(Forward f, Tensor... inputs) {
    Forward planned = f.executor().castsByPlan() ? f : f.over(here(f)::over);
    return planned.callAll(net, inputs);
  }

  /** The plan by the paths of the network that this cell stands in. */
  private PrecisionPlan here(Forward f) {
    Map<CellPath, Decision> cells = new LinkedHashMap<>();
    decisions().forEach((cell, decision) -> cells.put(f.path(cell), decision));
    return new PrecisionPlan(level, cells, options.numerics(), Set.of(f.path()));
  }
}
