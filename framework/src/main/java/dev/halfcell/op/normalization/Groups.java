package dev.halfcell.op.normalization;

import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;

/**
 * Which elements are normalised together: groups that lie one behind the other, and which scale and
 * shift each of their elements has. The parameters of a group lie one behind the other, and each
 * belongs to a run of neighbours; after some groups the parameters begin anew.
 *
 * @param count how many groups there are
 * @param length the elements of a group
 * @param run how many neighbours share a parameter
 * @param cycle after how many groups the parameters begin anew
 */
public record Groups(int count, int length, int run, int cycle) {
  /** Groups along the trailing axes of {@code x}, those that the parameters have. */
  static Groups trailing(TensorSpec x, Shape parameters) {
    int length = Math.toIntExact(parameters.size());
    return new Groups(Math.toIntExact(x.size() / length), length, 1, 1);
  }

  /** For each sample, {@code groups} groups of neighbouring channels, with all positions. */
  static Groups channels(TensorSpec x, int groups) {
    int positions = Math.toIntExact(x.shape().tail().tail().size());
    int length = x.dim(1) / groups * positions;
    return new Groups(x.dim(0) * groups, length, positions, groups);
  }

  /** How many parameters a group has. */
  public int parameters() {
    return length / run;
  }

  /** How many parameters there are in all. */
  public int allParameters() {
    return parameters() * cycle;
  }

  /** The first parameter of a group; the others of the group follow. */
  public int firstParameter(int group) {
    return group % cycle * parameters();
  }

  /** The parameter of an element, both counted from 0 in the whole tensor. */
  public int parameter(int element) {
    return firstParameter(element / length) + element % length / run;
  }
}
