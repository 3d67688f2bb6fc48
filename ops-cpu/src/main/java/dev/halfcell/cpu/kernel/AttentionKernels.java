package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.attention.ScaledDotProductAttention;
import dev.halfcell.op.attention.ScaledDotProductAttentionGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Attention in tiles of a few heads, so that the scores of a tile stay in the cache: products by
 * oneDNN, with Java on the rows of scores in between. Scores and all that follows from them are
 * FP32; what is half is read as half by the first products where the CPU can, and widened for the
 * others.
 */
final class AttentionKernels {
  private static final int TILE = 1 << 17; // scores in a tile: half a megabyte

  private final KernelBuilder builder;
  private final Shape scores;
  private final int heads;
  private final AttentionSetting setting;

  /** What the rows of scores are computed with. */
  private record AttentionSetting(boolean causal, double scale, Optional<Operand> mask) {}

  /** Does the rows of some heads, between products. */
  private interface Step {
    void run();
  }

  private AttentionKernels(KernelBuilder builder, Shape scores, AttentionSetting setting) {
    this.builder = builder;
    this.scores = scores;
    this.heads = scores.dim(0) * scores.dim(1);
    this.setting = setting;
  }

  static void build(KernelBuilder builder, Attention op, List<Operand> in, List<Operand> out) {
    switch (op) {
      case ScaledDotProductAttention(boolean causal, double scale) ->
          of(builder, in, causal, scale).forward(in, out);
      case ScaledDotProductAttentionGradient(boolean causal, double scale, _, _, _) ->
          of(builder, in.subList(1, in.size()), causal, scale).backward(in, out);
    }
  }

  private static AttentionKernels of(
      KernelBuilder builder, List<Operand> in, boolean causal, double scale) {
    Shape queries = in.get(0).spec().shape();
    Optional<Operand> mask =
        Optional.of(in.getLast())
            .filter(x -> x.dtype() == DType.BOOL)
            .map(x -> builder.in(x, DType.BOOL, Layout.ROW_MAJOR));
    Shape scores = queries.head(3).then(in.get(1).spec().dim(2));
    return new AttentionKernels(builder, scores, new AttentionSetting(causal, scale, mask));
  }

  private void forward(List<Operand> in, List<Operand> out) {
    Matrices q = narrow(in.get(0));
    Matrices k = narrow(in.get(1));
    Matrices v = wide(in.get(2));
    Matrices y = matrices(builder.out(out.get(0), DType.FP32, Layout.ROW_MAJOR));
    Operand logs = out.get(1);
    tiles(
        1,
        (rows, from, count, room) -> {
          Operand p = room.getFirst();
          Matrices scored = matrices(p).part(0, 0, count);
          return List.of(
              product(q.part(0, from, count), k.part(0, from, count).transposed(true), scored),
              rows(
                  from,
                  count,
                  (query, several) -> rows.softmax(p, query, several, logs.region().data())),
              product(scored, v.part(0, from, count), y.part(0, from, count)));
        });
  }

  private void backward(List<Operand> in, List<Operand> out) {
    Matrices d = narrow(in.get(0));
    Matrices q = narrow(in.get(1));
    Matrices k = narrow(in.get(2));
    Matrices v = narrow(in.get(3));
    Matrices wideD = wide(in.get(0), d);
    Matrices wideQ = wide(in.get(1), q);
    Matrices wideK = wide(in.get(2), k);
    Operand logs = in.get(4);
    List<Matrices> to =
        out.stream().map(x -> matrices(builder.out(x, DType.FP32, Layout.ROW_MAJOR))).toList();
    tiles(
        2,
        (rows, from, count, room) -> {
          Operand p = room.get(0);
          Operand g = room.get(1);
          Matrices scored = matrices(p).part(0, 0, count);
          Matrices graded = matrices(g).part(0, 0, count);
          return List.of(
              product(q.part(0, from, count), k.part(0, from, count).transposed(true), scored),
              product(d.part(0, from, count), v.part(0, from, count).transposed(true), graded),
              rows(
                  from,
                  count,
                  (query, several) -> rows.gradient(p, g, query, several, logs.region().data())),
              product(graded, wideK.part(0, from, count), to.get(0).part(0, from, count)),
              product(
                  graded.transposed(true),
                  wideQ.part(0, from, count),
                  to.get(1).part(0, from, count)),
              product(
                  scored.transposed(true),
                  wideD.part(0, from, count),
                  to.get(2).part(0, from, count)));
        });
  }

  private Matrices narrow(Operand x) {
    return matrices(builder.in(x, builder.computed(x.dtype()), Layout.ROW_MAJOR));
  }

  /** What was read before, where that is as wide already. */
  private Matrices wide(Operand x, Matrices narrow) {
    return narrow.operand().dtype() == DType.FP32 ? narrow : wide(x);
  }

  private Matrices wide(Operand x) {
    return matrices(builder.in(x, DType.FP32, Layout.ROW_MAJOR));
  }

  /** The matrices of all heads of all samples, one after the other. */
  private static Matrices matrices(Operand x) {
    Shape shape = x.spec().shape();
    int rank = shape.rank();
    int rows = shape.dim(rank - 2);
    int columns = shape.dim(rank - 1);
    Shape all = Shape.of(Math.toIntExact(shape.size() / rows / columns), rows, columns);
    return Matrices.of(new Operand(x.spec().as(all), Layout.ROW_MAJOR, x.region()), 3);
  }

  private Step product(Matrices a, Matrices b, Matrices c) {
    Primitive primitive = MatrixProduct.of(a, b, c).primitive(builder);
    return primitive::run;
  }

  /** Works on all rows of a tile, each of which holds the scores of one query. */
  private interface Rows {
    void run(int firstQuery, int count);
  }

  private Step rows(int from, int count, Rows all) {
    int queries = scores.dim(2);
    return () -> all.run(from * queries, count * queries);
  }

  /** Makes the steps for {@code count} heads from {@code from} on, with room for their scores. */
  private interface Tile {
    List<Step> steps(AttentionRows rows, int from, int count, List<Operand> room);
  }

  /** Each tile of a part in the same {@code rooms} workspaces. */
  private void tiles(int rooms, Tile tile) {
    int keys = scores.dim(3);
    Split split = Split.of(heads, 1, builder.threads());
    int most = (int) Math.max(1, TILE / ((long) scores.dim(2) * keys));
    Step[][] parts = new Step[split.parts()][];
    for (int part = 0; part < parts.length; part++) {
      int size = Math.min(most, split.size(part));
      TensorSpec tileSpec = TensorSpec.of(DType.FP32, size, scores.dim(2), keys);
      List<Operand> room =
          IntStream.range(0, rooms)
              .mapToObj(_ -> builder.workspace(tileSpec, Layout.ROW_MAJOR))
              .toList();
      AttentionMask mask = new AttentionMask(scores, setting.causal(), setting.mask());
      AttentionRows rows = new AttentionRows(mask, setting.scale(), keys, builder.scratch(part));
      List<Step> steps = new ArrayList<>();
      for (int from = split.from(part); from < split.from(part + 1); from += size) {
        int count = Math.min(size, split.from(part + 1) - from);
        steps.addAll(tile.steps(rows, from, count, room));
      }
      parts[part] = steps.toArray(Step[]::new);
    }
    builder.stage(
        parts.length,
        part -> {
          for (Step step : parts[part]) {
            step.run();
          }
        });
  }
}
