package dev.halfcell.cpu.kernel;

import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.AvgPool2dGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Pooling in Java, image by image, on the heap. oneDNN's is not used because it drops a NaN that is
 * not alone in its window.
 */
final class PoolingKernels {
  private PoolingKernels() {}

  static void build(KernelBuilder builder, Pooling op, List<Operand> in, List<Operand> out) {
    Operand x = in.getFirst();
    Operand y = out.getFirst();
    switch (op) {
      case MaxPool2d(Windows2d from) -> max(builder, from, x, out, false);
      case MaxPool2dGradient(Windows2d from, Shape _) ->
          maxGradient(builder, from, x, Optional.empty(), in.get(1), y);
      case AvgPool2d(Windows2d from, boolean countPadding) -> {
        Operand to = builder.out(y, y.dtype(), x.layout());
        Windows windows = Windows.of(from, x, to);
        stage(builder, windows, scratch -> new AveragePool(windows, countPadding, x, to, scratch));
      }
      case AvgPool2dGradient(Windows2d from, boolean countPadding, Shape _) -> {
        Operand d = builder.in(x, x.dtype(), y.layout());
        Windows windows = Windows.of(from, y, d);
        stage(
            builder,
            windows,
            scratch -> new AveragePoolGradient(windows, countPadding, d, y, scratch));
      }
    }
  }

  /** Max pooling, of max(x, 0) where {@code relu}. */
  static void max(
      KernelBuilder builder, Windows2d from, Operand x, List<Operand> out, boolean relu) {
    Operand y = builder.out(out.get(0), out.get(0).dtype(), x.layout());
    Operand position = builder.out(out.get(1), out.get(1).dtype(), x.layout());
    Windows windows = Windows.of(from, x, y);
    if (relu && PairTable.fits(windows)) {
      Optional<PairVectors> vectors = PairVectors.of(windows, x);
      stage(builder, windows, scratch -> pairs(windows, vectors, x, y, position, scratch));
    } else {
      stage(builder, windows, scratch -> new MaxPool(windows, x, y, position, relu, scratch));
    }
  }

  private static Plane pairs(
      Windows windows,
      Optional<PairVectors> vectors,
      Operand x,
      Operand y,
      Operand position,
      Scratch scratch) {
    if (vectors.isEmpty()) {
      return new PairPool(windows, x, y, position, scratch);
    }
    MaxPool withNan = new MaxPool(windows, x, y, position, true, scratch);
    return new VectorPairPool(windows, vectors.get(), withNan, x, y, position);
  }

  /** The gradient of max pooling; of max pooling after ReLU where {@code maximum} is given. */
  static void maxGradient(
      KernelBuilder builder,
      Windows2d from,
      Operand d,
      Optional<Operand> maximum,
      Operand position,
      Operand dx) {
    Operand ordered = builder.in(d, d.dtype(), dx.layout());
    Operand places = builder.in(position, position.dtype(), dx.layout());
    Optional<Operand> maxima = maximum.map(y -> builder.in(y, y.dtype(), dx.layout()));
    Windows windows = Windows.of(from, dx, ordered);
    if (maxima.isPresent() && PairTable.fits(windows)) {
      Operand largest = maxima.get();
      Optional<PairVectors> vectors = PairVectors.of(windows, dx);
      stage(
          builder,
          windows,
          scratch ->
              vectors.isPresent()
                  ? new VectorPairPoolGradient(windows, vectors.get(), ordered, largest, places, dx)
                  : new PairPoolGradient(windows, ordered, largest, places, dx, scratch));
    } else {
      stage(
          builder,
          windows,
          scratch -> new MaxPoolGradient(windows, ordered, maxima, places, dx, scratch));
    }
  }

  /** Works on one plane of the batch: an image of one channel, or of all where they lie last. */
  interface Plane {
    void run(int plane);
  }

  static void stage(KernelBuilder builder, Windows windows, Function<Scratch, Plane> make) {
    Split split = Split.of(windows.planes(), 1, builder.threads());
    Plane[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> make.apply(builder.scratch(part)))
            .toArray(Plane[]::new);
    builder.stage(
        parts.length,
        part -> {
          for (int plane = split.from(part); plane < split.from(part + 1); plane++) {
            parts[part].run(plane);
          }
        });
  }
}
