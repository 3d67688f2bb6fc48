package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.SgdRowsRule;
import dev.halfcell.tensor.Elements;
import java.util.List;
import java.util.stream.IntStream;

/** Plain descent of some rows of a table; each row is one part's alone, for no number is twice. */
final class RowDescent {
  private final Operand w;
  private final Operand gradient;
  private final Chunk moved = new Chunk();
  private final Chunk slope = new Chunk();
  private final float[][] in = {moved.values, slope.values};
  private final float[][] out = {moved.values};

  private RowDescent(Operand w, Operand gradient) {
    this.w = w;
    this.gradient = gradient;
  }

  /** {@code in} are w, gradient, rate, rows and count. */
  static void build(
      KernelBuilder builder, SgdRowsRule op, CellPath at, List<Operand> in, Operand out) {
    Operand rows = in.get(3);
    Flat.copy(builder, in.getFirst(), out);
    Split split = Split.of(Flat.size(rows), 1, builder.threads());
    RowDescent[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(_ -> new RowDescent(out, in.get(1)))
            .toArray(RowDescent[]::new);
    builder.stage(
        parts.length,
        part -> {
          RuleLoop rule = new RuleLoop.Sgd(Scalars.get(in.get(2)), 0);
          int count = op.count(at, Scalars.get(in.get(4)), Flat.size(rows));
          int end = Math.min(split.from(part + 1), count);
          for (int i = split.from(part); i < end; i++) {
            double given = Elements.get(rows.region().data(), rows.dtype(), i);
            int row = op.row(at, given, i, out.spec().dim(0));
            parts[part].move(rule, row, i);
          }
        });
  }

  private void move(RuleLoop rule, long row, long number) {
    int width = w.spec().dim(1);
    for (int start = 0; start < width; start += Chunk.SIZE) {
      int count = Math.min(Chunk.SIZE, width - start);
      moved.load(w.region().data(), w.dtype(), row * width + start, count);
      slope.load(gradient.region().data(), gradient.dtype(), number * width + start, count);
      rule.run(in, out, count);
      moved.store(w.region().data(), w.dtype(), row * width + start, count);
    }
  }
}
