package dev.halfcell.train.diagnosis;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Direction;
import dev.halfcell.tensor.TensorSpec;

/**
 * What first gave a value that is not finite in a step: an op of a cell, an input of the batch, or
 * a value of the state.
 *
 * @param path the cell, or the value's own path
 * @param op the op's name; {@code input} or the kind of the value where it is no op
 * @param direction the part of the step
 * @param spec dtype and shape of what it gave
 * @param values what it gave, counted
 * @param step the step, counted from 1
 */
public record Offender(
    CellPath path, String op, Direction direction, TensorSpec spec, Census values, long step) {
  /**
   * One line: {@code Mul at /square, forward, step 3: fp16[8, 16] with Inf: 12.5 % not finite …}.
   */
  public String text() {
    return where() + ", step " + step + ": " + spec + " with " + values.text();
  }

  /** Its op, path and direction: {@code Mul at /square, forward}. */
  public String where() {
    return op + " at " + path + ", " + direction.label();
  }
}
