package dev.halfcell.op.indexing;

import dev.halfcell.op.Backward;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.OptionalInt;

/**
 * (table, indices) → y with y[i₀, i₁, ..., :] = table[indices[i₀, i₁, ...], :].
 *
 * <p>Shapes: table [V, D], indices as {@link Indexing} says, y has a last axis of D more. Gradient:
 * the rows of d of one index summed, in the order of the look-ups; zero for the rows that were not
 * looked up and for the row of the padding index. Source: Bengio et al., "A Neural Probabilistic
 * Language Model", JMLR 2003, section 2; PyTorch, {@code nn.Embedding} (padding_idx, sparse).
 *
 * @param padding the index whose row gets no gradient, if there is one
 * @param sparse whether the gradient of a table that is a parameter stays rows ({@link
 *     CoalesceRows}) for as long as nobody needs it whole
 */
public record Embedding(OptionalInt padding, boolean sparse) implements Indexing {
  public Embedding {
    ArgumentException.require(
        padding.orElse(0) >= 0, "Embedding padding index", "at least 0", padding);
  }

  @Override
  public List<TensorSpec> infer(List<TensorSpec> in, CellPath at) {
    Requirements must = new Requirements(this, in, at).count(2);
    must.floating(0)
        .integer(1)
        .rank(0, 2, "[V, D]")
        .shape(
            padding.orElse(0) < in.getFirst().dim(0),
            "a table with a row of the padding index " + padding.orElse(0),
            "Make the vocabulary larger, or choose another padding index.");
    TensorSpec table = in.getFirst();
    return List.of(table.as(must.sized(Indexing.lookedUp(table.shape(), 0, in.get(1).shape()))));
  }

  @Override
  public List<Tensor> gradient(Backward b) {
    ScatterAdd back = new ScatterAdd(b.in(0).shape(), 0, padding, b.wide(0));
    return List.of(b.ops().run(back, b.d(), b.in(1)));
  }

  /** What {@link CoalesceRows} yields for the gradient of the table. */
  public List<Tensor> rows(Backward b) {
    CoalesceRows sums = new CoalesceRows(b.in(0).spec().dim(0), padding);
    return b.ops().runAll(sums, b.d(), b.in(1));
  }
}
