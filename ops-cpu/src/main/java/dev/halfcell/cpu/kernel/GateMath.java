package dev.halfcell.cpu.kernel;

import java.util.Optional;

/**
 * What the units of one sample do in one step, on arrays with an element for each of them; of gates
 * there is an array for each. Formulas: the records of the ops.
 */
sealed interface GateMath permits LstmGates, GruGates {
  /**
   * One step onward.
   *
   * @param a weightX · x + biasX
   * @param q weightH · h + biasH
   * @param h the output before, which is only read where there is no cell state, and after
   * @param c the cell state before, and after; not touched where there is none
   * @param saved gates to save for the way back
   */
  void forward(float[][] a, float[][] q, float[] h, float[] c, float[][] saved);

  /** The same in vectors, where there is that. */
  Optional<LstmVectors> vectors();

  /**
   * A step that was made. Its state is c where there is one, else h.
   *
   * @param saved its gates
   * @param kept the state after it
   * @param before the state before it
   */
  record Made(float[][] saved, float[] kept, float[] before) {}

  /**
   * One step back.
   *
   * @param dh the gradient of h after the step; on return what of it reaches h before past the
   *     weights
   * @param dc that of c after, and on return before; not touched where there is none
   * @param da on return the gradient of a
   * @param dq on return that of q; not touched where it is the same
   * @param h on return the output of the step
   */
  void backward(Made step, float[] dh, float[] dc, float[][] da, float[][] dq, float[] h);
}
