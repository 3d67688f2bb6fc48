package dev.halfcell.op.recurrent;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;

/**
 * One layer in one direction over whole sequences, as one op. Both weights are read in the dtype of
 * x, and so is all that they are multiplied with: where that is half, the output h of a step is
 * rounded to it before the next step takes it, and the gradients of gates are before anything is
 * multiplied by them or summed. Sums, gates and the cell state c are FP32 at least. What the
 * gradient needs again (gates and states) leaves the op in FP32 at least too.
 */
public sealed interface Recurrent extends Op permits Layer, LayerGradient {
  /** How sequences are walked, and which optional inputs there are. */
  Pass pass();

  @Override
  default PrecisionClass precision() {
    return PrecisionClass.ALLOW;
  }

  /**
   * The length of a sample as it stands in the input of lengths.
   *
   * @throws DataException unless it is from 0 to {@code time}
   */
  default int requireLength(long length, int sample, int time, CellPath at) {
    if (length < 0 || length > time) {
      throw new DataException(
          new Problem(
              label(),
              at.text(),
              "lengths from 0 to " + time + " (the steps of x)",
              "length " + length + " of sample " + sample,
              "Check the lengths, or pad the sequences further."));
    }
    return (int) length;
  }
}
