package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;
import java.util.Optional;

/**
 * y = branch(x) + shortcut(x): a main branch learns what is to be added to its input.
 *
 * <p>Shapes: x any, y what the branch makes of it; the shortcut, without one x itself, has to yield
 * the same shape. Children: branch, and shortcut where there is one. Op: {@link
 * dev.halfcell.op.elementwise.Add}. Source: He et al., "Deep Residual Learning for Image
 * Recognition", CVPR 2016, section 3.2.
 */
public final class Residual extends Cell {
  private final Cell branch;
  private final Optional<Cell> shortcut;

  /** What {@code branch} makes of x, plus x. */
  public Residual(Cell branch) {
    this(branch, Optional.empty());
  }

  /** What {@code branch} makes of x, plus what {@code shortcut} does. */
  public Residual(Cell branch, Cell shortcut) {
    this(branch, Optional.of(shortcut));
  }

  private Residual(Cell branch, Optional<Cell> shortcut) {
    this.branch = child("branch", branch);
    this.shortcut = shortcut.map(cell -> child("shortcut", cell));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    Tensor y = f.call(branch, x);
    Tensor added = shortcut.map(cell -> f.call(cell, x)).orElse(x);
    f.shape(
        y.shape().equals(added.shape()),
        y,
        "a branch that yields " + added.shape() + ", as what is added to it",
        "Give the residual a shortcut that changes the shape like the branch.");
    return f.ops().add(y, added);
  }
}
