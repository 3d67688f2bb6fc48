package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/** Computations that look at one place of all tensors at a time: loops over chunks of floats. */
final class Flat {
  private static final int UNIT = 256;

  private Flat() {}

  /** The loop over one chunk. */
  @FunctionalInterface
  interface Loop {
    /**
     * Computes places 0 to {@code count} of {@code out} from those of {@code in}, which stand at
     * {@code start} of their tensors.
     */
    void run(float[][] in, float[][] out, int count, int start);
  }

  /** A stage that runs {@code loop} over all places of operands of one size. */
  static void stage(KernelBuilder builder, List<Operand> in, List<Operand> out, Loop loop) {
    Layout layout = out.getFirst().layout();
    List<Operand> from = in.stream().map(x -> builder.in(x, x.dtype(), layout)).toList();
    List<Operand> to = out.stream().map(y -> builder.out(y, y.dtype(), layout)).toList();
    Split split = Split.of(size(to.getFirst()), UNIT, builder.threads());
    Walk[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(_ -> new Walk(from, to, loop))
            .toArray(Walk[]::new);
    builder.stage(split.parts(), part -> parts[part].run(split.from(part), split.from(part + 1)));
  }

  /** Changes the dtype; both lie in the same order. */
  static void cast(KernelBuilder builder, Operand from, Operand to) {
    stage(
        builder,
        List.of(from),
        List.of(to),
        (in, out, count, _) -> System.arraycopy(in[0], 0, out[0], 0, count));
  }

  /** Copies bytes. */
  static void copy(KernelBuilder builder, Operand from, Operand to) {
    Operand ordered = builder.in(from, from.dtype(), to.layout());
    builder.stage(
        1, _ -> MemorySegment.copy(ordered.region().data(), 0, to.region().data(), 0, bytes(to)));
  }

  private static long bytes(Operand operand) {
    return operand.spec().bytes();
  }

  static int size(Operand operand) {
    return Math.toIntExact(operand.spec().size());
  }

  /** One part's walk over its range, with chunks of its own. */
  private static final class Walk {
    private final List<Operand> in;
    private final List<Operand> out;
    private final Loop loop;
    private final Chunk[] sources;
    private final Chunk[] targets;
    private final float[][] from;
    private final float[][] to;

    Walk(List<Operand> in, List<Operand> out, Loop loop) {
      this.in = in;
      this.out = out;
      this.loop = loop;
      sources = chunks(in.size());
      targets = chunks(out.size());
      from = values(sources);
      to = values(targets);
    }

    private static Chunk[] chunks(int count) {
      return IntStream.range(0, count).mapToObj(_ -> new Chunk()).toArray(Chunk[]::new);
    }

    private static float[][] values(Chunk[] chunks) {
      float[][] values = new float[chunks.length][];
      for (int i = 0; i < chunks.length; i++) {
        values[i] = chunks[i].values;
      }
      return values;
    }

    void run(int begin, int end) {
      for (int start = begin; start < end; start += Chunk.SIZE) {
        int count = Math.min(Chunk.SIZE, end - start);
        for (int i = 0; i < sources.length; i++) {
          Operand x = in.get(i);
          sources[i].load(x.region().data(), x.dtype(), start, count);
        }
        loop.run(from, to, count, start);
        for (int i = 0; i < targets.length; i++) {
          Operand y = out.get(i);
          DType dtype = y.dtype();
          targets[i].store(y.region().data(), dtype, start, count);
        }
      }
    }
  }
}
