package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a box of elements from its place in one tensor to its place in another, bit for bit. Axes
 * that lie the same way in both become one. Where the innermost is dense in both, whole runs are
 * copied; else squares of elements, so that both sides are read and written while in cache.
 */
final class BoxCopy {
  private static final int SQUARE = 32;

  /** One axis of the box: its size, and the step along it on either side. */
  private record Axis(int size, long from, long to) {
    boolean continues(Axis inner) {
      return from == inner.from * inner.size && to == inner.to * inner.size;
    }
  }

  private final Operand source;
  private final Operand target;
  private final long fromStart;
  private final long toStart;
  private final int bytes;
  private final List<Axis> outer;
  private final Axis rows;
  private final Axis columns;
  private final boolean runs;

  private BoxCopy(Shape box, Operand source, Steps from, Operand target, Steps to) {
    this.source = source;
    this.target = target;
    this.fromStart = from.start();
    this.toStart = to.start();
    this.bytes = source.dtype().bytes();
    List<Axis> axes = merged(box, from, to);
    this.columns = axes.removeLast();
    this.runs = columns.from == 1 && columns.to == 1;
    this.rows = runs || axes.isEmpty() ? new Axis(1, 0, 0) : densest(axes);
    axes.remove(rows);
    this.outer = axes;
  }

  /** Copies the elements of {@code box}, which stand as these steps say. */
  static void stage(
      KernelBuilder builder, Shape box, Operand source, Steps from, Operand target, Steps to) {
    BoxCopy copy = new BoxCopy(box, source, from, target, to);
    Split split = Split.of(copy.blocks(), 1, builder.threads());
    builder.stage(split.parts(), part -> copy.run(split.from(part), split.from(part + 1)));
  }

  private static List<Axis> merged(Shape box, Steps from, Steps to) {
    List<Axis> axes = new ArrayList<>();
    for (int a = 0; a < box.rank(); a++) {
      Axis next = new Axis(box.dim(a), from.along().get(a), to.along().get(a));
      if (next.size == 1) {
        continue;
      }
      if (!axes.isEmpty() && axes.getLast().continues(next)) {
        next = new Axis(axes.removeLast().size * next.size, next.from, next.to);
      }
      axes.add(next);
    }
    return axes.isEmpty() ? new ArrayList<>(List.of(new Axis(1, 1, 1))) : axes;
  }

  /** The axis along which the source's elements lie closest together. */
  private static Axis densest(List<Axis> axes) {
    Axis densest = axes.getLast();
    for (Axis axis : axes) {
      densest = axis.from < densest.from ? axis : densest;
    }
    return densest;
  }

  private int squares() {
    return Math.ceilDiv(rows.size, SQUARE);
  }

  private int blocks() {
    return Math.toIntExact(outer.stream().mapToLong(Axis::size).reduce(squares(), (a, b) -> a * b));
  }

  private void run(int begin, int end) {
    MemorySegment from = source.region().data();
    MemorySegment to = target.region().data();
    for (int block = begin; block < end; block++) {
      int first = block % squares() * SQUARE;
      int rest = block / squares();
      long f = fromStart + first * rows.from;
      long t = toStart + first * rows.to;
      for (int a = outer.size() - 1; a >= 0; a--) {
        Axis axis = outer.get(a);
        f += rest % axis.size * axis.from;
        t += rest % axis.size * axis.to;
        rest /= axis.size;
      }
      if (runs) {
        MemorySegment.copy(from, f * bytes, to, t * bytes, (long) columns.size * bytes);
      } else {
        block(from, f, to, t, Math.min(SQUARE, rows.size - first));
      }
    }
  }

  private void block(MemorySegment from, long f, MemorySegment to, long t, int height) {
    for (int start = 0; start < columns.size; start += SQUARE) {
      int width = Math.min(SQUARE, columns.size - start);
      for (int row = 0; row < height; row++) {
        long first = f + row * rows.from + start * columns.from;
        long place = t + row * rows.to + start * columns.to;
        switch (bytes) {
          case 1 -> bytes(from, first, to, place, width);
          case 2 -> shorts(from, first, to, place, width);
          case 4 -> ints(from, first, to, place, width);
          default -> longs(from, first, to, place, width);
        }
      }
    }
  }

  private void bytes(MemorySegment from, long f, MemorySegment to, long t, int width) {
    for (int i = 0; i < width; i++) {
      byte value = from.get(ValueLayout.JAVA_BYTE, f + i * columns.from);
      to.set(ValueLayout.JAVA_BYTE, t + i * columns.to, value);
    }
  }

  private void shorts(MemorySegment from, long f, MemorySegment to, long t, int width) {
    for (int i = 0; i < width; i++) {
      short value = from.getAtIndex(ValueLayout.JAVA_SHORT, f + i * columns.from);
      to.setAtIndex(ValueLayout.JAVA_SHORT, t + i * columns.to, value);
    }
  }

  private void ints(MemorySegment from, long f, MemorySegment to, long t, int width) {
    for (int i = 0; i < width; i++) {
      int value = from.getAtIndex(ValueLayout.JAVA_INT, f + i * columns.from);
      to.setAtIndex(ValueLayout.JAVA_INT, t + i * columns.to, value);
    }
  }

  private void longs(MemorySegment from, long f, MemorySegment to, long t, int width) {
    for (int i = 0; i < width; i++) {
      long value = from.getAtIndex(ValueLayout.JAVA_LONG, f + i * columns.from);
      to.setAtIndex(ValueLayout.JAVA_LONG, t + i * columns.to, value);
    }
  }
}
