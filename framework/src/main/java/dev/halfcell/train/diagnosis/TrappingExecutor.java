package dev.halfcell.train.diagnosis;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.Set;

/** Throws at the op that raises one of some floating-point exceptions. */
public final class TrappingExecutor implements Executor {
  private final Set<Trap> traps;
  private final Direction direction;
  private final Executor next;

  /** Before an executor; ops are of the forward pass until {@link #in} says otherwise. */
  public TrappingExecutor(Set<Trap> traps, Executor next) {
    this(traps, Direction.FORWARD, next);
  }

  private TrappingExecutor(Set<Trap> traps, Direction direction, Executor next) {
    this.traps = traps;
    this.direction = direction;
    this.next = next;
  }

  @Override
  public Executor in(Direction part) {
    return new TrappingExecutor(traps, part, next.in(part));
  }

  /**
   * {@inheritDoc}
   *
   * @throws NonFiniteException naming the exception, op, path and direction
   */
  @Override
  public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
    List<Tensor> out = next.execute(op, in, at);
    for (Trap raised : Trap.raised(op, in, out)) {
      if (traps.contains(raised)) {
        throw new NonFiniteException(
            new Problem(
                raised.name(),
                op.label() + " at " + at + ", " + direction.label(),
                raised.expected(),
                "inputs " + Tensor.specs(in) + " and outputs " + values(out),
                "Nothing was assigned: the values are those before this step."));
      }
    }
    return out;
  }

  private static List<String> values(List<Tensor> out) {
    return out.stream().map(tensor -> tensor.spec() + " with " + Census.of(tensor).text()).toList();
  }
}
