package dev.halfcell.plan;

import dev.halfcell.op.Op;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.tensor.DType;
import java.util.HashMap;
import java.util.Map;

/**
 * Leaves out what changes no bit: {@link CellOutput}, a {@link Cast} or {@link Reshape} to what its
 * input already is, and a cast back to the dtype that a widening cast came from. Who read the
 * output reads what it came from.
 */
final class DropIdentities implements Rewrite {
  @Override
  public Program apply(Program program) {
    Map<Integer, Integer> names = new HashMap<>();
    Map<Integer, Integer> widened = new HashMap<>();
    Edits edits = new Edits();
    for (Task task : program.tasks()) {
      if (!(task.work() instanceof Work.Single(Op op))) {
        continue;
      }
      int from = names.getOrDefault(task.in(0), task.in(0));
      int same = source(program, op, from, task.out(0), widened);
      if (same >= 0) {
        names.put(task.out(0), same);
        edits.drop(task);
      } else if (op instanceof Cast && widens(program, from, task.out(0))) {
        widened.put(task.out(0), from);
      }
    }
    return edits.of(program).renamed(names);
  }

  /** The slot that holds the output's bits already, or -1. */
  private static int source(
      Program program, Op op, int from, int to, Map<Integer, Integer> widened) {
    if (!(op instanceof Cast || op instanceof CellOutput || op instanceof Reshape)) {
      return -1;
    }
    if (program.spec(from).equals(program.spec(to))) {
      return from;
    }
    int narrow = widened.getOrDefault(from, -1);
    boolean back =
        op instanceof Cast && narrow >= 0 && program.spec(narrow).equals(program.spec(to));
    return back ? narrow : -1;
  }

  /** Whether every value of the one dtype is one of the other's. */
  private static boolean widens(Program program, int from, int to) {
    DType wide = program.spec(to).dtype();
    return program.spec(from).dtype().half() && wide.floating() && !wide.half();
  }
}
