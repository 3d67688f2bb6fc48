package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;
import static dev.halfcell.testkit.Argument.wide;

import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.attention.ScaledDotProductAttentionGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

final class AttentionCases {
  private AttentionCases() {}

  static Stream<OpCase> draw(Generator g) {
    boolean masked = g.flag();
    return Stream.of(draw(g, g.size(), g.size(), masked), draw(g, 3, 4, !masked)).flatMap(x -> x);
  }

  private static Stream<OpCase> draw(Generator g, int queries, int keys, boolean masked) {
    Shape heads = Shape.of(g.integer(1, 3), g.integer(1, 3));
    int features = g.integer(1, 9);
    int width = g.flag() ? features : g.integer(1, 9);
    ScaledDotProductAttention op = ScaledDotProductAttention.of(features, g.flag());
    Argument q = data(heads.then(queries, features), Fill.normals());
    Argument k = data(heads.then(keys, features), Fill.normals());
    Argument v = data(heads.then(keys, width), Fill.normals());
    Argument d = data(heads.then(queries, width), Fill.normals());
    Argument log = wide(heads.then(queries), Fill.positives());
    List<Argument> mask = masked ? List.of(mask(g, heads, queries, keys)) : List.of();
    int summed = Math.max(Math.max(queries, keys), Math.max(features, width));
    ScaledDotProductAttentionGradient gradient =
        new ScaledDotProductAttentionGradient(
            op.causal(), op.scale(), g.flag(), g.flag(), g.flag());
    return Stream.of(
        new OpCase(op, with(mask, q, k, v), false, 3, summed),
        new OpCase(gradient, with(mask, d, q, k, v, log), false, 0, summed * summed));
  }

  private static List<Argument> with(List<Argument> mask, Argument... arguments) {
    List<Argument> all = new ArrayList<>(List.of(arguments));
    all.addAll(mask);
    return all;
  }

  /** Repeated along some axes; with luck it leaves a row nothing to look at. */
  private static Argument mask(Generator g, Shape heads, int queries, int keys) {
    Shape all = heads.then(queries, keys);
    int[] dims = all.toArray();
    for (int axis = 0; axis < dims.length; axis++) {
      dims[axis] = g.flag() ? dims[axis] : 1;
    }
    return fixed(DType.BOOL, Shape.of(dims), Fill.labels(2));
  }
}
