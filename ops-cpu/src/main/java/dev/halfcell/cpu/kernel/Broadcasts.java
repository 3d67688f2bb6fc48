package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Tensors that are repeated along axes: addition of unlike shapes, and plain repetition. */
final class Broadcasts {
  private Broadcasts() {}

  /** y = a + b, each repeated along the axes that it lacks or has with size 1. */
  static void add(KernelBuilder builder, List<Operand> in, Operand out) {
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Shape shape = to.spec().shape();
    List<Repeated> terms = in.stream().map(x -> repeated(builder, x, shape)).toList();
    rows(builder, to, terms);
  }

  private static Repeated repeated(KernelBuilder builder, Operand x, Shape to) {
    int missing = to.rank() - x.spec().rank();
    Operand from = builder.in(x, x.dtype(), Layout.ROW_MAJOR);
    return new Repeated(
        from, new Rows(to, axis -> axis < missing || x.spec().dim(axis - missing) == 1));
  }

  /** y = x repeated along {@code axes} of y. */
  static void repeat(KernelBuilder builder, Operand x, Operand out, IntPredicate axes) {
    Operand to = builder.out(out, out.dtype(), Layout.ROW_MAJOR);
    Operand from = builder.in(x, x.dtype(), Layout.ROW_MAJOR);
    rows(builder, to, List.of(new Repeated(from, new Rows(to.spec().shape(), axes))));
  }

  /** A tensor, and where its rows are found for each row of the result. */
  private record Repeated(Operand operand, Rows rows) {}

  private static void rows(KernelBuilder builder, Operand to, List<Repeated> terms) {
    Rows rows = terms.getFirst().rows();
    Split split = Split.of(rows.count(), 1, builder.threads());
    Walk[] parts =
        IntStream.range(0, split.parts()).mapToObj(_ -> new Walk(to, terms)).toArray(Walk[]::new);
    builder.stage(split.parts(), part -> parts[part].run(split.from(part), split.from(part + 1)));
  }

  private static final class Walk {
    private final Operand to;
    private final List<Repeated> terms;
    private final Chunk term = new Chunk();
    private final Chunk sum = new Chunk();

    Walk(Operand to, List<Repeated> terms) {
      this.to = to;
      this.terms = terms;
    }

    void run(int begin, int end) {
      int length = terms.getFirst().rows().length();
      for (int row = begin; row < end; row++) {
        for (int start = 0; start < length; start += Chunk.SIZE) {
          int count = Math.min(Chunk.SIZE, length - start);
          load(sum, terms.getFirst(), row, start, count);
          for (int i = 1; i < terms.size(); i++) {
            load(term, terms.get(i), row, start, count);
            add(count);
          }
          sum.store(to.region().data(), to.dtype(), (long) row * length + start, count);
        }
      }
    }

    private static void load(Chunk chunk, Repeated term, int row, int start, int count) {
      Operand x = term.operand();
      long index = term.rows().start(row);
      if (term.rows().moves()) {
        chunk.load(x.region().data(), x.dtype(), index + start, count);
      } else {
        chunk.load(x.region().data(), x.dtype(), index, 1);
        Arrays.fill(chunk.values, 0, count, chunk.values[0]);
      }
    }

    private void add(int count) {
      for (int i = 0; i < count; i++) {
        sum.values[i] += term.values[i];
      }
    }
  }
}
