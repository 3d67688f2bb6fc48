package dev.halfcell.cpu.kernel;

/**
 * What the units of one sample do in one step, on arrays with an element for each of them or, where
 * there are several gates, the gates one after the other. Formulas: the records of the ops.
 */
sealed interface GateMath permits LstmGates, GruGates {
  /**
   * One step onward.
   *
   * @param a weightX · x + biasX; overwritten
   * @param q weightH · h + biasH
   * @param h the output before, and after
   * @param c the cell state before, and after; not touched where there is only one state
   * @param saved gates to save for the way back
   */
  void forward(float[] a, float[] q, float[] h, float[] c, float[] saved);

  /** Whether h after a step is what is saved for the way back; else it is c. */
  boolean keepsOutput();

  /** h and c after a step, from what was saved of it. */
  void restore(float[] saved, float[] kept, float[] h, float[] c);

  /**
   * A step that was made.
   *
   * @param saved its gates
   * @param kept the state that was saved of it
   * @param h the output before it
   * @param c the cell state before it
   */
  record Made(float[] saved, float[] kept, float[] h, float[] c) {}

  /**
   * One step back.
   *
   * @param dh the gradient of h after the step; on return what of it reaches h before past the
   *     weights
   * @param dc that of c after, and on return before
   * @param da on return the gradient of a
   * @param dq on return that of q
   */
  void backward(Made step, float[] dh, float[] dc, float[] da, float[] dq);
}
