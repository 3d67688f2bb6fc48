package dev.halfcell.nn;

import dev.halfcell.tensor.Tensor;
import java.util.Arrays;

/**
 * A part of a transformer's layer with what belongs around it: x + dropout(part(norm(x))) where the
 * config normalises first, else norm(x + dropout(part(x))). Further inputs go to the part as they
 * are; for self-attention x alone counts as query, key and value.
 */
final class TransformerPart extends Cell {
  private final boolean normalizeFirst;
  private final Cell norm;
  private final Cell part;
  private final Cell dropout;

  TransformerPart(TransformerConfig config, Cell part) {
    this.normalizeFirst = config.normalizeFirst();
    this.norm = child("norm", new LayerNorm(config.features()));
    this.part = child("part", part);
    this.dropout = child("dropout", new Dropout(config.dropout()));
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = inputs[0];
    Tensor[] in = Arrays.copyOf(inputs, inputs.length);
    in[0] = normalizeFirst ? f.call(norm, x) : x;
    Tensor sum = f.ops().add(x, f.call(dropout, f.call(part, in)));
    return normalizeFirst ? sum : f.call(norm, sum);
  }
}
