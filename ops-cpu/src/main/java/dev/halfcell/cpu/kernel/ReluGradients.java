package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The sum of gradients where y is above 0, else 0. One gradient alone is masked as it lies in
 * memory, whatever its dtype.
 */
final class ReluGradients {
  private static final int UNIT = 256;

  private ReluGradients() {}

  /** All are of one shape. */
  static void build(KernelBuilder builder, List<Operand> gradients, Operand y, Operand out) {
    Layout layout = out.layout();
    List<Operand> from = gradients.stream().map(d -> builder.in(d, out.dtype(), layout)).toList();
    Operand mask = builder.in(y, out.dtype(), layout);
    Split split = Split.of(Flat.size(out), UNIT, builder.threads());
    Part[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> new Part(from, mask, out, builder.scratch(part)))
            .toArray(Part[]::new);
    builder.stage(parts.length, part -> parts[part].run(split.from(part), split.from(part + 1)));
  }

  private static final class Part {
    private final List<Operand> from;
    private final Operand mask;
    private final Operand out;
    private final PositiveMask words;
    private final Chunk sum;
    private final Chunk next;
    private final boolean straight;

    Part(List<Operand> from, Operand mask, Operand out, Scratch scratch) {
      this.from = from;
      this.mask = mask;
      this.out = out;
      words = PositiveMask.in(scratch, Chunk.SIZE);
      sum = scratch.chunk();
      next = scratch.chunk();
      straight = straight();
    }

    void run(int begin, int end) {
      for (int start = begin; start < end; start += Chunk.SIZE) {
        int count = Math.min(Chunk.SIZE, end - start);
        if (alone()) {
          words.of(from.getFirst(), mask, start, count).store(out, start, count);
        } else if (straight && count % ChannelVectors.length() == 0) {
          addStraight(start, count);
        } else {
          add(start, count);
        }
      }
    }

    private boolean alone() {
      Operand d = from.getFirst();
      return from.size() == 1 && d.dtype() == out.dtype() && mask.dtype() == out.dtype();
    }

    /** Whether there are two gradients that can be added where they lie. */
    private boolean straight() {
      return VectorModule.present()
          && from.size() == 2
          && (out.dtype() == DType.FP32 || out.dtype() == DType.BF16)
          && Stream.concat(from.stream(), Stream.of(mask)).allMatch(x -> x.dtype() == out.dtype());
    }

    private void addStraight(int start, int count) {
      long a = from.getFirst().address(start, count);
      long b = from.getLast().address(start, count);
      long above = mask.address(start, count);
      long y = out.address(start, count);
      if (out.dtype() == DType.FP32) {
        MaskedSums.floats(a, b, above, y, count);
      } else {
        MaskedSums.halves(a, b, above, y, count);
      }
    }

    private void add(int start, int count) {
      sum.loadMasked(from.getFirst(), mask, start, count, words);
      for (Operand d : from.subList(1, from.size())) {
        next.loadMasked(d, mask, start, count, words);
        add(next.values, sum.values, count);
      }
      sum.store(out, start, count);
    }

    private static void add(float[] values, float[] to, int count) {
      for (int i = 0; i < count; i++) {
        to[i] += values[i];
      }
    }
  }
}
