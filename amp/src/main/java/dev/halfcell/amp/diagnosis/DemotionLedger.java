package dev.halfcell.amp.diagnosis;

import dev.halfcell.amp.precision.Reason;
import dev.halfcell.backend.Variable;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.diagnosis.Offender;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What demotion has counted and decided, as two variables of a run's state with a row for each cell
 * of the plan: the step at which the cell was demoted (0: it was not), the direction (0: forward,
 * 1: backward), and the steps in which it offended last; and the name of the op. One thread.
 */
final class DemotionLedger {
  private static final int NAME_BYTES = 48;
  private static final int STEP = 0;
  private static final int DIRECTION = 1;
  private static final int OFFENCES = 2;

  private final List<CellPath> cells;
  private final Demotion rule;
  private final int columns;
  private final Tensor table;
  private final Tensor names;

  DemotionLedger(Collection<CellPath> cells, Demotion rule, TrainState state, String name) {
    this.cells = List.copyOf(cells);
    this.rule = rule;
    this.columns = OFFENCES + rule.after();
    TensorSpec spec = TensorSpec.of(DType.INT64, cells.size(), columns);
    Variable demotions = Variable.demotions().of(name);
    Variable ops = Variable.demotedOps().of(name);
    state.declare(demotions, spec, 0);
    state.declare(ops, TensorSpec.of(DType.UINT8, cells.size(), NAME_BYTES), 0);
    this.table = state.read(demotions);
    this.names = state.read(ops);
    if (!table.spec().equals(spec)) {
      throw new ArgumentException(
          new Problem(
              "demotion",
              demotions.path().text(),
              "a ledger of " + spec,
              table.spec().toString(),
              "Ask for the same demotion as the run that the state is of."));
    }
  }

  /** Counts an offence, and demotes its cell where it was one too many. */
  void offended(Offender offender) {
    int row = cells.indexOf(offender.path());
    long[] steps = new long[rule.after() + 1];
    for (int i = 0; i < rule.after(); i++) {
      long then = at(row, OFFENCES + i);
      steps[i] = then > offender.step() - rule.within() ? then : 0;
    }
    steps[rule.after()] = offender.step();
    Arrays.sort(steps); // those that count stand last, and the first of them makes room
    for (int i = 0; i < rule.after(); i++) {
      set(row, OFFENCES + i, steps[i + 1]);
    }
    if (steps[1] > 0) {
      set(row, STEP, offender.step());
      set(row, DIRECTION, offender.direction() == Direction.BACKWARD ? 1 : 0);
      name(row, offender.op());
    }
  }

  /** The cells that were demoted, in the order of the plan, and why. */
  Map<CellPath, Reason.Demoted> demoted() {
    Map<CellPath, Reason.Demoted> demoted = new LinkedHashMap<>();
    for (int row = 0; row < cells.size(); row++) {
      if (at(row, STEP) > 0) {
        Direction direction = at(row, DIRECTION) == 1 ? Direction.BACKWARD : Direction.FORWARD;
        demoted.put(
            cells.get(row), new Reason.Demoted(name(row), direction, at(row, STEP), rule.after()));
      }
    }
    return demoted;
  }

  private long at(int row, int column) {
    return Elements.whole(table.data(), DType.INT64, (long) row * columns + column);
  }

  private void set(int row, int column, long value) {
    Elements.set(table.write(), DType.INT64, (long) row * columns + column, (double) value);
  }

  private String name(int row) {
    byte[] bytes = new byte[NAME_BYTES];
    for (int i = 0; i < NAME_BYTES; i++) {
      bytes[i] = (byte) names.at((long) row * NAME_BYTES + i);
    }
    return new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
  }

  private void name(int row, String op) {
    byte[] bytes = Arrays.copyOf(op.getBytes(StandardCharsets.UTF_8), NAME_BYTES);
    for (int i = 0; i < NAME_BYTES; i++) {
      Elements.set(names.write(), DType.UINT8, (long) row * NAME_BYTES + i, bytes[i] & 0xFF);
    }
  }
}
