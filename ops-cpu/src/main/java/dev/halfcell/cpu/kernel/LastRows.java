package dev.halfcell.cpu.kernel;

import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A tensor's axes in an order in which those that a reduction takes away stand last, in their own
 * order: what becomes one element then is a row in memory. Rows are shared out among threads.
 */
final class LastRows {
  private final Shape shape;
  private final List<Integer> order;
  private final Shape ordered;
  private final int count;

  LastRows(Shape shape, List<Integer> axes) {
    this.shape = shape;
    List<Integer> all = IntStream.range(0, shape.rank()).boxed().toList();
    order =
        Stream.concat(
                all.stream().filter(axis -> !axes.contains(axis)),
                all.stream().filter(axes::contains))
            .toList();
    ordered = new Shape(order.stream().map(shape::dim).toList());
    count =
        Math.toIntExact(new Shape(ordered.dims().subList(0, shape.rank() - axes.size())).size());
  }

  /** How many elements a row has. */
  int length() {
    return Math.toIntExact(shape.size() / count);
  }

  private boolean asTheyAre() {
    return order.equals(order.stream().sorted().toList());
  }

  /** An input's elements row by row. */
  Operand in(KernelBuilder builder, Operand x) {
    Operand from = builder.in(x, x.dtype(), Layout.ROW_MAJOR);
    if (asTheyAre()) {
      return from;
    }
    Operand rows = builder.workspace(x.spec().as(ordered), Layout.ROW_MAJOR);
    Steps steps = Steps.whole(shape).permuted(order);
    BoxCopy.stage(builder, ordered, from, steps, rows, Steps.whole(ordered));
    return rows;
  }

  /** What to compute an output's rows into; {@link #back} brings them home. */
  Operand out(KernelBuilder builder, Operand to) {
    return asTheyAre() ? to : builder.workspace(to.spec().as(ordered), Layout.ROW_MAJOR);
  }

  void back(KernelBuilder builder, Operand rows, Operand to) {
    if (!asTheyAre()) {
      Steps steps = Steps.whole(shape).permuted(order);
      BoxCopy.stage(builder, ordered, rows, Steps.whole(ordered), to, steps);
    }
  }

  /** What is done with one row. */
  @FunctionalInterface
  interface Row {
    void run(int row);
  }

  /** A stage over all rows, with work of its own for each part. */
  void stage(KernelBuilder builder, Function<Scratch, Row> work) {
    Split split = Split.of(count, 1, builder.threads());
    Row[] parts =
        IntStream.range(0, split.parts())
            .mapToObj(part -> work.apply(builder.scratch(part)))
            .toArray(Row[]::new);
    builder.stage(
        parts.length,
        part -> {
          for (int row = split.from(part); row < split.from(part + 1); row++) {
            parts[part].run(row);
          }
        });
  }
}
