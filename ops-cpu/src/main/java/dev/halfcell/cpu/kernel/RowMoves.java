package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.RowsRule;
import dev.halfcell.tensor.Elements;
import java.util.List;
import java.util.stream.IntStream;

/** Moves some rows of a table and its slots; each is one part's alone, for no number is twice. */
final class RowMoves {
  private final List<Operand> tables;
  private final Operand gradient;
  private final Chunk[] chunks; // the tables' and the gradient's
  private final float[][] in;
  private final float[][] out;

  private RowMoves(List<Operand> tables, Operand gradient, Scratch scratch) {
    this.tables = tables;
    this.gradient = gradient;
    chunks =
        IntStream.rangeClosed(0, tables.size())
            .mapToObj(_ -> scratch.chunk())
            .toArray(Chunk[]::new);
    in = IntStream.range(0, chunks.length).mapToObj(i -> chunks[i].values).toArray(float[][]::new);
    out = IntStream.range(0, tables.size()).mapToObj(i -> in[i]).toArray(float[][]::new);
  }

  static void build(
      KernelBuilder builder, RowsRule op, CellPath at, List<Operand> in, List<Operand> out) {
    Operand rows = in.get(op.rowsInput());
    Operand counted = in.get(op.rowsInput() + 1);
    Operand gradient = in.get(op.gradientInput());
    List<Operand> scalars = in.subList(op.gradientInput() + 1, op.rowsInput());
    for (int table = 0; table < out.size(); table++) {
      Flat.copy(builder, in.get(table), out.get(table));
    }
    Split split = Split.of(Flat.size(rows), 1, builder.threads());
    RowMoves[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> new RowMoves(out, gradient, builder.scratch(part)))
            .toArray(RowMoves[]::new);
    builder.stage(
        parts.length,
        part -> {
          RuleLoop rule = RuleLoop.of(op.rule(), scalars, 1);
          int count = op.count(at, Scalars.get(counted), Flat.size(rows));
          int end = Math.min(split.from(part + 1), count);
          for (int i = split.from(part); i < end; i++) {
            double given = Elements.get(rows.region().data(), rows.dtype(), i);
            int row = op.row(at, given, i, out.getFirst().spec().dim(0));
            parts[part].move(rule, row, i);
          }
        });
  }

  private void move(RuleLoop rule, long row, long number) {
    int width = gradient.spec().dim(1);
    for (int start = 0; start < width; start += Chunk.SIZE) {
      int count = Math.min(Chunk.SIZE, width - start);
      for (int i = 0; i < tables.size(); i++) {
        Operand table = tables.get(i);
        chunks[i].load(table, row * width + start, count);
      }
      chunks[tables.size()].load(gradient, number * width + start, count);
      rule.run(in, out, count);
      for (int i = 0; i < tables.size(); i++) {
        Operand table = tables.get(i);
        chunks[i].store(table, row * width + start, count);
      }
    }
  }
}
