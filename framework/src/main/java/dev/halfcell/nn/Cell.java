package dev.halfcell.nn;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A node of a network: named children, declared parameters, and what it computes from its inputs.
 * It holds no value and does not know its path, so one network can be trained at several levels
 * side by side. Build it on one thread; once built, threads may share it.
 *
 * <pre>{@code
 * final class Classifier extends Cell {
 *   private final Cell hidden = child("hidden", new Dense(784, 100));
 *   private final Cell output = child("output", new Dense(100, 10));
 *
 *   @Override
 *   protected Tensor construct(Forward f, Tensor... in) {
 *     return f.call(output, f.ops().relu(f.call(hidden, in)));
 *   }
 * }
 * }</pre>
 */
public abstract class Cell {
  private static final String WRAPPED = "";

  private final Map<String, Cell> children = new LinkedHashMap<>();
  private final List<Parameter> parameters = new ArrayList<>();
  private final Set<PrecisionFlag> flags = EnumSet.noneOf(PrecisionFlag.class);
  private boolean toFloatOfItself;

  /**
   * What the cell computes, written in the ops of {@code f}. It is called on symbolic tensors when
   * a step is traced: do not read values, and do not keep anything from one call to the next.
   */
  protected abstract Tensor construct(Forward f, Tensor... inputs);

  /**
   * The same, with what else the cell computes behind it, for those who ask by {@link
   * Forward#callAll}.
   */
  protected List<Tensor> constructAll(Forward f, Tensor... inputs) {
    return List.of(construct(f, inputs));
  }

  /** The class of the op that gives the cell its name; what a precision plan goes by. */
  public PrecisionClass precision() {
    return PrecisionClass.INFER;
  }

  /** Makes {@code cell} a part of this one under a name. */
  protected final <C extends Cell> C child(String name, C cell) {
    ArgumentException.requirePresent(name, getClass().getSimpleName(), "the name of a child");
    ArgumentException.requirePresent(cell, getClass().getSimpleName(), "child '" + name + "'");
    requireName(name);
    children.put(name, cell);
    return cell;
  }

  /**
   * Makes {@code cell} the body of this one: it stands at this cell's own path, so that wrapping
   * renames nothing.
   */
  protected final <C extends Cell> C wrapped(C cell) {
    ArgumentException.requirePresent(cell, getClass().getSimpleName(), "the wrapped cell");
    ArgumentException.require(
        children.putIfAbsent(WRAPPED, cell) == null,
        getClass().getSimpleName(),
        "one wrapped cell",
        "a second");
    return cell;
  }

  /** Declares a value that an optimizer trains, in FP32. */
  protected final Parameter parameter(String name, Initializer initializer, int... shape) {
    return declare(new Parameter(name, TensorSpec.of(DType.FP32, shape), initializer, true));
  }

  /** Declares a value that the cell itself updates and no optimizer trains, in FP32. */
  protected final Parameter statistic(String name, Initializer initializer, int... shape) {
    return declare(new Parameter(name, TensorSpec.of(DType.FP32, shape), initializer, false));
  }

  private Parameter declare(Parameter parameter) {
    requireName(parameter.name());
    parameters.add(parameter);
    return parameter;
  }

  private void requireName(String name) {
    boolean taken =
        children.containsKey(name) || parameters.stream().anyMatch(p -> p.name().equals(name));
    ArgumentException.require(
        !taken && !name.isEmpty() && name.indexOf('/') < 0,
        getClass().getSimpleName(),
        "a new name without '/' for a child or parameter",
        "'" + name + "'");
  }

  /**
   * The parts, by name, in the order in which they were added; a wrapped one has the empty name.
   */
  public final Map<String, Cell> children() {
    return Collections.unmodifiableMap(children);
  }

  /** What this cell itself declares, children not counted. */
  public final List<Parameter> parameters() {
    return List.copyOf(parameters);
  }

  /**
   * All cells with their paths, this one as the root; a cell used twice keeps the path it is first
   * met at, and so is tied.
   */
  public final Map<Cell, CellPath> paths() {
    Map<Cell, CellPath> paths = new LinkedHashMap<>();
    collect(CellPath.ROOT, false, paths);
    return Collections.unmodifiableMap(paths);
  }

  private void collect(CellPath at, boolean wrapped, Map<Cell, CellPath> paths) {
    if (paths.containsKey(this)) {
      return;
    }
    if (!wrapped && paths.containsValue(at)) {
      throw new ArgumentException(
          new Problem(
              "Cell",
              at.text(),
              "one cell at each path",
              "two",
              "Rename the child of the wrapped network."));
    }
    paths.put(this, at);
    children.forEach((name, cell) -> cell.collect(below(at, name), name.isEmpty(), paths));
  }

  private static CellPath below(CellPath at, String name) {
    return name.isEmpty() ? at : at.child(name);
  }

  /**
   * Asks for a precision here and below; flags that are set already stay, and FP32 wins on a cell
   * that has both.
   */
  public final Cell addFlagsRecursive(PrecisionFlag flag) {
    paths().keySet().forEach(cell -> cell.flags.add(flag));
    return this;
  }

  /**
   * The stronger form: here and below it replaces all flags, so that the last call wins. It is also
   * the only request that a loss follows, and only when it is made on the loss itself.
   */
  public final Cell toFloat(DType dtype) {
    PrecisionFlag flag = PrecisionFlag.of(dtype);
    paths().keySet().forEach(Cell::forgetFlags);
    toFloatOfItself = true;
    return addFlagsRecursive(flag);
  }

  private void forgetFlags() {
    flags.clear();
    toFloatOfItself = false;
  }

  /** The same as {@link #requested}, where {@link #toFloat} was called on this very cell. */
  public final Optional<DType> requestedOfItself() {
    return toFloatOfItself ? requested() : Optional.empty();
  }

  /** The precision that this cell's own flags ask for. */
  public final Optional<DType> requested() {
    if (flags.contains(PrecisionFlag.FP32)) {
      return Optional.of(DType.FP32);
    }
    return flags.stream().findFirst().map(PrecisionFlag::dtype);
  }

  /** Cells are told apart by identity: two of the same kind are two. */
  @Override
  public final boolean equals(Object other) {
    return this == other;
  }

  @Override
  public final int hashCode() {
    return System.identityHashCode(this);
  }
}
