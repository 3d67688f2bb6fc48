package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The sum of gradients where y is above 0, else 0. One gradient alone is masked as it lies in
 * memory, where y is of its dtype.
 */
final class ReluGradients {
  private static final int UNIT = 256;

  private ReluGradients() {}

  /** All are of one shape. */
  static void build(KernelBuilder builder, List<Operand> gradients, Operand y, Operand out) {
    Layout layout = out.layout();
    List<Operand> from = gradients.stream().map(d -> builder.in(d, out.dtype(), layout)).toList();
    Operand mask = builder.in(y, y.dtype(), layout);
    Split split = Split.of(Flat.size(out), UNIT, builder.threads());
    Part[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> new Part(from, mask, out, builder.scratch(part)))
            .toArray(Part[]::new);
    Flat.stage(builder, out, split, (part, start, end) -> parts[part].run(start, end));
  }

  /** y = a + b where a mask is above 0, on what lies at addresses. */
  @FunctionalInterface
  private interface Sum {
    void run(long a, long b, long above, long y, int count);
  }

  private static final class Part {
    private final List<Operand> from;
    private final Operand mask;
    private final Operand out;
    private final PositiveMask words;
    private final Chunk sum;
    private final Chunk next;
    private final Optional<Sum> straight;

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
        } else if (straight.isPresent() && count % ChannelVectors.length() == 0) {
          addStraight(straight.get(), start, count);
        } else {
          add(start, count);
        }
      }
    }

    private boolean alone() {
      Operand d = from.getFirst();
      return from.size() == 1 && d.dtype() == out.dtype() && mask.dtype() == out.dtype();
    }

    /** What adds two gradients where they lie. */
    private Optional<Sum> straight() {
      if (from.size() != 2 || !VectorModule.usable()) {
        return Optional.empty();
      }
      return switch (out.dtype()) {
        case FP32 -> floats();
        case BF16 ->
            mask.dtype() == DType.BF16 ? Optional.of(MaskedSums::halves) : Optional.empty();
        case FP16, FP64, INT64, INT32, UINT8, BOOL -> Optional.empty();
      };
    }

    private Optional<Sum> floats() {
      return switch (mask.dtype()) {
        case FP32 -> Optional.of(MaskedSums::floats);
        case BF16 -> Optional.of(MaskedSums::floatsByBf16);
        case FP16 -> Optional.of(MaskedSums::floatsByFp16);
        case FP64, INT64, INT32, UINT8, BOOL -> Optional.empty();
      };
    }

    private void addStraight(Sum by, int start, int count) {
      by.run(
          from.getFirst().address(start, count),
          from.getLast().address(start, count),
          mask.address(start, count),
          out.address(start, count),
          count);
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
