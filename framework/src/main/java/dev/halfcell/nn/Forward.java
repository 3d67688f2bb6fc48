package dev.halfcell.nn;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.op.precision.CellOutput;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import java.util.function.UnaryOperator;

/** One cell's view of the step that is being described. */
public final class Forward {
  private final Recording recording;
  private final Executor executor;
  private final CellPath path;
  private final String cell;

  /** {@code cell} is what errors call it. */
  Forward(Recording recording, Executor executor, CellPath path, String cell) {
    this.recording = recording;
    this.executor = executor;
    this.path = path;
    this.cell = cell;
  }

  /** The vocabulary to compute with. */
  public Ops ops() {
    return new Ops(executor, path);
  }

  /** Who executes the ops of this cell and of those below it. */
  public Executor executor() {
    return executor;
  }

  /** The same view with a decorator before what executes the ops of this cell and those below. */
  public Forward over(UnaryOperator<Executor> decorator) {
    return new Forward(recording, decorator.apply(executor), path, cell);
  }

  /** Where the cell stands. */
  public CellPath path() {
    return path;
  }

  /** Where another cell of the network stands. */
  public CellPath path(Cell other) {
    return recording.path(other, path);
  }

  /** Whether the step trains; else it evaluates. */
  public boolean training() {
    return recording.training();
  }

  /** The running number of each sample of the batch since training began: INT64 [N]. */
  public Tensor samples() {
    return recording.samples();
  }

  /**
   * The value of a parameter of this cell; after an {@link #update} in the same step, the updated
   * one. A precision plan may hand out something made of it.
   */
  public Tensor read(Parameter parameter) {
    Tensor value = recording.read(parameter.in(path));
    return parameter.trainable() ? executor.parameter(value, path, parameter.name()) : value;
  }

  /** Executes nothing: the value is assigned when the step ends, if the step is applied. */
  public void update(Parameter parameter, Tensor value) {
    recording.update(parameter.in(path), value);
  }

  /** The key of this cell's next random op. */
  public RandomKey randomKey() {
    return recording.randomKey(path);
  }

  /** The input of a cell that takes one. */
  public Tensor only(Tensor... inputs) {
    expect(1, inputs);
    return inputs[0];
  }

  /** Throws unless the cell was given {@code count} inputs. */
  public void expect(int count, Tensor... inputs) {
    if (inputs.length != count) {
      throw new UsageException(
          new Problem(
              cell,
              path.text(),
              count + " inputs",
              String.valueOf(inputs.length),
              "See the cell's documentation."));
    }
  }

  /** Throws unless an input has so many axes. */
  public void rank(Tensor x, int rank, String axes) {
    shape(
        x.spec().rank() == rank,
        x,
        "an input of shape " + axes,
        "Reshape the input, or check the previous cell's output.");
  }

  /** Throws, naming this cell and the tensor, unless something holds of the tensor's shape. */
  public void shape(boolean holds, Tensor x, String expected, String fix) {
    if (!holds) {
      throw new ShapeException(new Problem(cell, path.text(), expected, x.spec().toString(), fix));
    }
  }

  /** The output of a child for these inputs. */
  public Tensor call(Cell child, Tensor... inputs) {
    Forward inside = inside(child);
    return inside.leaving(child.construct(inside, inputs));
  }

  /** All outputs of a child for these inputs, that of {@link #call} first. */
  public List<Tensor> callAll(Cell child, Tensor... inputs) {
    Forward inside = inside(child);
    return child.constructAll(inside, inputs).stream().map(inside::leaving).toList();
  }

  private Forward inside(Cell child) {
    CellPath at = recording.path(child, path);
    String name = child.getClass().getSimpleName();
    return new Forward(recording, executor, at, name.isEmpty() ? "Cell" : name);
  }

  private Tensor leaving(Tensor y) {
    return ops().run(new CellOutput(), y);
  }
}
