package dev.halfcell.cpu.kernel;

import java.util.List;
import java.util.Optional;

/**
 * A gradient, of which only counts what stands where another tensor is above 0, if there is one.
 *
 * @param gradient d
 * @param mask y, of the same layout
 */
record MaskedGradient(Operand gradient, Optional<Operand> mask) {
  /** Both in a layout. */
  MaskedGradient in(KernelBuilder builder, Layout layout) {
    return new MaskedGradient(
        builder.in(gradient, gradient.dtype(), layout),
        mask.map(y -> builder.in(y, y.dtype(), layout)));
  }

  /** Adds what it consists of to a list. */
  void addTo(List<Operand> operands) {
    operands.add(gradient);
    mask.ifPresent(operands::add);
  }

  /** Fetches pieces of it. One thread. */
  static final class Reader {
    private final PositiveMask words;

    /** For pieces of {@code size} at most. */
    Reader(Scratch scratch, int size) {
      words = PositiveMask.in(scratch, size);
    }

    /** {@code count} elements from {@code index} on. */
    void read(MaskedGradient from, Chunk into, long index, int count) {
      if (from.mask().isPresent()) {
        into.loadMasked(from.gradient(), from.mask().get(), index, count, words);
      } else {
        into.load(from.gradient(), index, count);
      }
    }
  }
}
