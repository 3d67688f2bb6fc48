package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
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

  /** One input of one part: fetches the places of a chunk. */
  interface Reader {
    /** Fetches {@code count} places from {@code start} on; they stand in {@link #values}. */
    void read(int start, int count);

    /** Where what was read stands, always the same array. */
    float[] values();
  }

  /** Makes the reader of a part, which works in its scratch. */
  @FunctionalInterface
  interface ReaderOf {
    Reader in(Scratch scratch);
  }

  /** A stage that runs {@code loop} over all places of operands of one size. */
  static void stage(KernelBuilder builder, List<Operand> in, List<Operand> out, Loop loop) {
    stageOfLoops(builder, in, out, () -> loop);
  }

  /** The same with a loop for each part, which may have memory of its own. */
  static void stageOfLoops(
      KernelBuilder builder, List<Operand> in, List<Operand> out, Supplier<Loop> loops) {
    Layout layout = out.getFirst().layout();
    List<ReaderOf> readers = in.stream().map(x -> plain(builder.in(x, x.dtype(), layout))).toList();
    stageOfLoops(builder, readers, out, layout, loops);
  }

  /** The same of inputs that are fetched in ways of their own, in {@code layout}. */
  static void stageOfLoops(
      KernelBuilder builder,
      List<ReaderOf> in,
      List<Operand> out,
      Layout layout,
      Supplier<Loop> loops) {
    List<Operand> to = out.stream().map(y -> builder.out(y, y.dtype(), layout)).toList();
    Split split = Split.of(size(to.getFirst()), UNIT, builder.threads());
    Walk[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> new Walk(builder.scratch(part), in, to, loops.get()))
            .toArray(Walk[]::new);
    stage(builder, to.getFirst(), split, (part, from, end) -> parts[part].run(from, end));
  }

  /** What a part does with places from one on to another. */
  interface Places {
    void run(int part, int from, int to);
  }

  /** A stage over all places of {@code y}, or over those of some samples, which gives the same. */
  static void stage(KernelBuilder builder, Operand y, Split places, Places body) {
    Stage flat =
        new Stage(places.parts(), part -> body.run(part, places.from(part), places.from(part + 1)));
    int threads = builder.threads();
    boolean shared = y.spec().rank() > 0 && SampleLoop.shared(y.spec().dim(0), threads);
    if (shared && places.parts() == threads) {
      int size = size(y) / y.spec().dim(0);
      SampleLoop loop =
          SampleLoop.of(
              Split.of(y.spec().dim(0), 1, threads),
              y.sampleOffset(1),
              (part, from, to) -> body.run(part, from * size, to * size));
      builder.stage(flat, loop);
    } else {
      builder.stage(flat.parts(), flat.body());
    }
  }

  /** Reads an operand place by place. */
  static ReaderOf plain(Operand x) {
    return scratch -> new Plain(x, scratch.chunk());
  }

  private record Plain(Operand x, Chunk chunk) implements Reader {
    @Override
    public void read(int start, int count) {
      chunk.load(x, start, count);
    }

    @Override
    public float[] values() {
      return chunk.values;
    }
  }

  /** Changes the dtype; both lie in the same order. */
  static void cast(KernelBuilder builder, Operand from, Operand to) {
    if (VectorModule.usable() && from.dtype() == DType.FP32 && to.dtype() == DType.BF16) {
      straight(builder, from, to, Bf16Casts::narrow);
    } else if (VectorModule.usable() && from.dtype() == DType.BF16 && to.dtype() == DType.FP32) {
      straight(builder, from, to, Bf16Casts::widen);
    } else {
      stage(
          builder,
          List.of(from),
          List.of(to),
          (in, out, count, _) -> System.arraycopy(in[0], 0, out[0], 0, count));
    }
  }

  /** Rounds floats to those that a half dtype has; both lie in the same order. */
  static void round(KernelBuilder builder, DType half, Operand from, Operand to) {
    if (VectorModule.usable() && half == DType.FP16) {
      straight(builder, from, to, Fp16Casts::round);
    } else {
      Operand rounded = builder.workspace(from.spec().as(half), from.layout());
      cast(builder, from, rounded);
      cast(builder, rounded, to);
    }
  }

  /** A computation from memory to memory. */
  @FunctionalInterface
  private interface Straight {
    /** Computes {@code count} places from addresses on. */
    void run(long from, long to, int count);
  }

  private static void straight(KernelBuilder builder, Operand from, Operand to, Straight loop) {
    Layout layout = to.layout();
    Operand source = builder.in(from, from.dtype(), layout);
    Operand target = builder.out(to, to.dtype(), layout);
    Split split = Split.of(size(target), UNIT, builder.threads());
    builder.stage(
        split.parts(),
        part -> {
          int count = split.from(part + 1) - split.from(part);
          loop.run(
              source.address(split.from(part), count),
              target.address(split.from(part), count),
              count);
        });
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
    private final List<Operand> out;
    private final Loop loop;
    private final Reader[] sources;
    private final Chunk[] targets;
    private final float[][] from;
    private final float[][] to;

    Walk(Scratch scratch, List<ReaderOf> in, List<Operand> out, Loop loop) {
      this.out = out;
      this.loop = loop;
      sources = in.stream().map(reader -> reader.in(scratch)).toArray(Reader[]::new);
      targets = out.stream().map(_ -> scratch.chunk()).toArray(Chunk[]::new);
      from = Arrays.stream(sources).map(Reader::values).toArray(float[][]::new);
      to = Arrays.stream(targets).map(chunk -> chunk.values).toArray(float[][]::new);
    }

    void run(int begin, int end) {
      for (int start = begin; start < end; start += Chunk.SIZE) {
        int count = Math.min(Chunk.SIZE, end - start);
        for (Reader source : sources) {
          source.read(start, count);
        }
        loop.run(from, to, count, start);
        for (int i = 0; i < targets.length; i++) {
          targets[i].store(out.get(i), start, count);
        }
      }
    }
  }
}
