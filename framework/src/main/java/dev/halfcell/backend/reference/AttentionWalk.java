package dev.halfcell.backend.reference;

import dev.halfcell.op.elementwise.Broadcast;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Where queries, keys and values stand in memory, and which keys a query may look at. */
final class AttentionWalk {
  private final Shape scores;
  private final int features;
  private final int width;
  private final boolean causal;
  private final double[] mask;
  private final int[] places;

  /** {@code in} begins with q, k and v; the mask, where there is one, is the last. */
  AttentionWalk(List<Tensor> in, boolean causal) {
    Tensor q = in.get(0);
    Tensor last = in.getLast();
    this.scores = q.shape().head(3).then(in.get(1).spec().dim(2));
    this.features = q.spec().dim(3);
    this.width = in.get(2).spec().dim(3);
    this.causal = causal;
    boolean masked = !last.dtype().floating();
    this.mask = masked ? last.toArray() : new double[] {1};
    Shape shape = masked ? last.shape() : Shape.SCALAR;
    this.places = Loops.positions(scores, Broadcast.repeats(shape, scores.rank()));
  }

  /** How many queries there are, in all heads of all samples. */
  int rows() {
    return Math.toIntExact(scores.size() / keys());
  }

  /** How many keys a query has. */
  int keys() {
    return scores.dim(3);
  }

  /** The size of a query and of a key. */
  int features() {
    return features;
  }

  /** The size of a value. */
  int width() {
    return width;
  }

  /** Where key {@code s} of a query begins. */
  int key(int row, int s) {
    return (head(row) * keys() + s) * features;
  }

  /** Where the value of key {@code s} of a query begins. */
  int value(int row, int s) {
    return (head(row) * keys() + s) * width;
  }

  private int head(int row) {
    return row / scores.dim(2);
  }

  boolean takesPart(int row, int s) {
    return mask[places[row * keys() + s]] != 0 && !(causal && s > row % scores.dim(2));
  }
}
