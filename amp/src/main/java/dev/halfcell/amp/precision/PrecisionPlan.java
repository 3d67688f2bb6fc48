package dev.halfcell.amp.precision;

import dev.halfcell.backend.Backend;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.train.CastDraws;
import dev.halfcell.train.PrecisionRules;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which cell computes how, and why. A value: made by reading the network, which it does not change.
 * Immutable; threads may share it.
 *
 * @param level the level that was asked for
 * @param cells a decision for each cell, in the order of the network
 * @param numerics how it is computed in half
 * @param ends where a network ends, so that what leaves is FP32: the root, and each {@link
 *     MixedPrecisionCell}
 */
public record PrecisionPlan(
    Level level, Map<CellPath, Decision> cells, Numerics numerics, Set<CellPath> ends)
    implements PrecisionRules {
  public PrecisionPlan {
    cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
    ends = Set.copyOf(ends);
  }

  /** The plan of {@code net} at this level. A pure function; the network is only read. */
  public static PrecisionPlan of(Cell net, Level level, PrecisionOptions options) {
    return PrecisionPlanner.plan(net, level, options);
  }

  /** This plan with some of its cells in FP32; the cells below those stay as they are. */
  public PrecisionPlan demoted(Map<CellPath, Reason.Demoted> demoted) {
    Map<CellPath, Decision> changed = new LinkedHashMap<>(cells);
    demoted.forEach(
        (at, because) -> changed.computeIfPresent(at, (_, decision) -> decision.full(because)));
    return new PrecisionPlan(level, changed, numerics, ends);
  }

  /** How a cell computes; ops of a step outside every cell are FP32. */
  public Treatment treatment(CellPath at) {
    Decision decision = cells.get(at);
    return decision == null ? Treatment.FULL : decision.treatment();
  }

  /** This plan's casting rules before another executor, with casts to nearest. */
  @Override
  public Executor over(Executor next) {
    return new PrecisionExecutor(this, next, Optional.empty());
  }

  /** The same in a training step, where casts to half may round by chance. */
  @Override
  public Executor over(Executor next, CastDraws draws) {
    return new PrecisionExecutor(
        this, next, Optional.of(draws).filter(_ -> numerics.stochasticRounding()));
  }

  /**
   * The dtype that an op takes its castable floating inputs in; none where it takes them as they
   * are.
   */
  Optional<DType> computes(Op op, CellPath at, List<Tensor> in) {
    Decision decision = cells.get(at);
    if (decision != null) {
      return decision.takes(op, in);
    }
    return op.precision() == PrecisionClass.KEEP ? Optional.empty() : Optional.of(DType.FP32);
  }

  /** What the cell at {@code at} sees of its parameters, where that is not their value. */
  Optional<ParameterGetter> getter(CellPath at) {
    return Optional.ofNullable(cells.get(at)).flatMap(decision -> decision.options().getter());
  }

  /** What a cell's output is rounded to on leaving it; the network's own leaves as FP32. */
  Optional<DType> leaving(CellPath at) {
    if (ends.contains(at)) {
      return Optional.of(DType.FP32);
    }
    return Optional.ofNullable(cells.get(at))
        .filter(decision -> decision.treatment() == Treatment.FULL_THEN_HALF)
        .map(Decision::half);
  }

  /** What the cell at {@code at} keeps running sums of products of half in. */
  DType partials(CellPath at) {
    return Optional.ofNullable(cells.get(at)).map(Decision::partials).orElse(DType.FP32);
  }

  /**
   * Throws where a cell is to keep sums in a dtype that a backend does not offer, before anything
   * is compiled.
   */
  public void requireOffered(Backend backend) {
    cells.forEach(
        (at, decision) -> {
          boolean lacking = !backend.capabilities().partials().contains(decision.partials());
          if (lacking && decision.partialsTold().isPresent()) {
            throw new ArgumentException(
                new Problem(
                    "partials",
                    at.text(),
                    "a backend that keeps sums of products in "
                        + decision.partials().label()
                        + " on request",
                    backend.name(),
                    "Take the reference backend, or leave partials out."));
          }
        });
  }

  /** How many cells compute in half. */
  public long cellsInHalf() {
    return cells.values().stream().filter(Decision::inHalf).count();
  }

  /** The plan as rows, in the order of the network. */
  public List<PlanRow> rows() {
    return cells.entrySet().stream().map(cell -> row(cell.getKey(), cell.getValue())).toList();
  }

  private PlanRow row(CellPath at, Decision decision) {
    return new PlanRow(
        at,
        decision.cell(),
        decision.stored(),
        decision.computes(),
        ends.contains(at) ? DType.FP32.label() : decision.leaves(),
        decision.because().text());
  }

  /**
   * The plan as text: a line for each cell, the total, a line for each op that stands on a list and
   * for what is unusual of the numerics. With inputs {@link Explanation} says more.
   */
  public String explain() {
    return PlanRow.table(rows()) + PlanRow.inHalf(rows(), cellsInHalf()) + PlanRow.lines(notes());
  }

  /** What holds beside the rows: single ops on lists, unusual numerics; a line for each. */
  public List<String> notes() {
    return Stream.concat(ops().stream(), numerics.unusual().stream()).toList();
  }

  /** What own lists say of single ops, a line for each. */
  List<String> ops() {
    return cells.values().stream()
        .map(decision -> decision.options().lists())
        .distinct()
        .flatMap(PrecisionLists::hits)
        .filter(hit -> hit.entry() instanceof Selector.Ops)
        .map(hit -> "%s: %s list".formatted(hit.entry().text(), hit.name()))
        .distinct()
        .toList();
  }
}
