package dev.halfcell.nn;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What one description of a step collects. Made for it, gone with it; one thread. */
public final class Recording {
  private final Executor executor;
  private final Variables state;
  private final Map<Cell, CellPath> paths;
  private final Tensor samples;
  private final boolean training;
  private final Map<Variable, Tensor> updates = new LinkedHashMap<>();
  private final Set<Variable> readSinceUpdate = new HashSet<>();
  private final Map<CellPath, Integer> randomOps = new HashMap<>();

  /**
   * A recording of a step of {@code net}.
   *
   * @param samples the running number of each sample of the batch
   */
  public Recording(Executor executor, Variables state, Cell net, Tensor samples, boolean training) {
    this.executor = executor;
    this.state = state;
    this.paths = net.paths();
    this.samples = samples;
    this.training = training;
  }

  /** The output of {@code net}, the root or any cell below it, at its own path. */
  public Tensor call(Cell net, Tensor... inputs) {
    return new Forward(this, executor, CellPath.ROOT, "network").call(net, inputs);
  }

  /** Who executes the ops of cells. */
  public Executor executor() {
    return executor;
  }

  Tensor samples() {
    return samples;
  }

  boolean training() {
    return training;
  }

  CellPath path(Cell cell, CellPath caller) {
    ArgumentException.requirePresent(cell, "call at " + caller, "the cell to call");
    CellPath path = paths.get(cell);
    if (path == null) {
      throw new UsageException(
          new Problem(
              cell.getClass().getSimpleName(),
              caller.text(),
              "a cell of this network",
              "one that is not among its children",
              "Register it in the constructor: child(\"name\", cell)."));
    }
    return path;
  }

  /** The value at this point of the step: an earlier update of the same step is seen. */
  public Tensor read(Variable variable) {
    readSinceUpdate.add(variable);
    Tensor updated = updates.get(variable);
    return updated == null ? state.read(variable) : updated;
  }

  /** Remembers what the step is to assign at its end. */
  public void update(Variable variable, Tensor value) {
    require(
        !updates.containsKey(variable) || readSinceUpdate.contains(variable),
        variable,
        "a second update that has read the first",
        "one that would lose it");
    require(
        value.spec().equals(state.read(variable).spec()),
        variable,
        "an update of " + state.read(variable).spec(),
        value.spec().toString());
    readSinceUpdate.remove(variable);
    updates.put(variable, value);
  }

  private static void require(boolean holds, Variable variable, String expected, String got) {
    if (!holds) {
      throw new UsageException(new Problem("update", variable.path().text(), expected, got, ""));
    }
  }

  /** What the step is to assign. */
  public Map<Variable, Tensor> updates() {
    return Collections.unmodifiableMap(updates);
  }

  RandomKey randomKey(CellPath path) {
    return new RandomKey(state.seed(), path, randomOps.merge(path, 1, Integer::sum) - 1);
  }
}
