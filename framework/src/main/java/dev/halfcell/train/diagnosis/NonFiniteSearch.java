package dev.halfcell.train.diagnosis;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.precision.Casting;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what first gave a value that is not finite: an input of the batch, a value of the state, or
 * an op whose result is of a worse kind than all it was given (an infinity of finite values, a NaN
 * of no NaN). A cast of the backward pass that rounds to half is of the gradient of what another
 * cell yielded in half, and is said to be at that cell. Made for one step; one thread.
 */
public final class NonFiniteSearch {
  private final long step;
  private final IdentityHashMap<Tensor, CellPath> yielded = new IdentityHashMap<>();
  private final Map<CellPath, Map<TensorSpec, Set<CellPath>>> widened = new HashMap<>();
  private Optional<Offender> first = Optional.empty();

  /** A search in this step, counted from 1. */
  public NonFiniteSearch(long step) {
    this.step = step;
  }

  /** Looks at what the step is given before anything is computed. */
  public void inputs(List<Tensor> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      given(inputs.get(i), new CellPath("(batch)").child(String.valueOf(i)), "input");
    }
  }

  /** The same values; parameters, statistics and slots are looked at when they are read. */
  public Variables over(Variables state) {
    return new Variables() {
      @Override
      public Tensor read(Variable variable) {
        Tensor value = state.read(variable);
        switch (variable.kind()) {
          case PARAMETER -> given(value, variable.path(), "parameter");
          case STATISTIC -> given(value, variable.path(), "statistic");
          case SLOT -> given(value, variable.path(), "slot");
          case AVERAGE -> given(value, variable.path(), "average");
          case APPLIED, SEEN, REFUSED, SCALE, PLATEAU, WATCHED, WINDOW, WINDOW_COUNT, DEMOTION -> {}
        }
        return value;
      }

      @Override
      public long seed() {
        return state.seed();
      }
    };
  }

  /** The same executor; what it yields is looked at. */
  public Executor over(Executor next) {
    return new Looking(Direction.FORWARD, next);
  }

  private final class Looking implements Executor {
    private final Direction direction;
    private final Executor next;

    Looking(Direction direction, Executor next) {
      this.direction = direction;
      this.next = next;
    }

    @Override
    public Executor in(Direction part) {
      return new Looking(part, next.in(part));
    }

    @Override
    public List<Tensor> execute(Op op, List<Tensor> in, CellPath at) {
      List<Tensor> out = next.execute(op, in, at);
      if (first.isEmpty()) {
        Census.Kind given = Census.worst(in);
        CellPath of = direction == Direction.BACKWARD && op instanceof Casting ? of(out, at) : at;
        out.forEach(result -> look(result, given, of, op.label(), direction));
        remember(op, in, out, at);
      }
      return out;
    }

    private void remember(Op op, List<Tensor> in, List<Tensor> out, CellPath at) {
      if (direction == Direction.FORWARD) {
        if (op instanceof Casting && in.getFirst().dtype().half()) {
          widened
              .computeIfAbsent(at, _ -> new HashMap<>())
              .computeIfAbsent(in.getFirst().spec(), _ -> new HashSet<>())
              .add(yielded.getOrDefault(in.getFirst(), at));
        }
        out.forEach(result -> yielded.put(result, at));
      }
    }
  }

  /** Whose output a gradient is of; the cell that casts where that is not told by its spec. */
  private CellPath of(List<Tensor> gradient, CellPath at) {
    Set<CellPath> cells =
        widened.getOrDefault(at, Map.of()).getOrDefault(gradient.getFirst().spec(), Set.of());
    return cells.size() == 1 ? cells.iterator().next() : at;
  }

  private void given(Tensor value, CellPath path, String what) {
    look(value, Census.Kind.FINITE, path, what, Direction.FORWARD);
  }

  private void look(
      Tensor value, Census.Kind given, CellPath path, String what, Direction direction) {
    if (first.isEmpty()) {
      Census census = Census.of(value);
      if (census.kind().compareTo(given) > 0) {
        first = Optional.of(new Offender(path, what, direction, value.spec(), census, step));
      }
    }
  }

  /** What was found; none where every value was finite. */
  public Optional<Offender> first() {
    return first;
  }
}
