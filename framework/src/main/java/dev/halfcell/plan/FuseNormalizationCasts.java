package dev.halfcell.plan;

import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.normalization.Normalize;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.CastOverflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A normalisation whose data is widened before it and whose first output is only narrowed back
 * behind it becomes the same op on half data: its arithmetic is FP32 at least in any case. The
 * output is rounded once, where it was rounded to FP32 and then to half.
 */
final class FuseNormalizationCasts implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task task : program.tasks()) {
      Optional<Task> narrowing =
          Uses.op(task, Normalization.class)
              .filter(op -> data(op) > 0)
              .flatMap(op -> narrowing(program, uses, task, data(op)));
      if (narrowing.isPresent()) {
        int count = data(Uses.op(task, Normalization.class).orElseThrow());
        edits.replace(task, inHalf(uses, task, count, narrowing.get()));
        edits.drop(narrowing.get());
      }
    }
    return edits.of(program);
  }

  /** How many of the leading inputs are data, of the dtype that the first output has. */
  private static int data(Normalization op) {
    return switch (op) {
      case BatchNorm _, Normalize _, GroupwiseNormalization _ -> 1;
      case BatchNormGradient _, GroupwiseGradient _ -> 2;
      case RunningAverage _ -> 0;
    };
  }

  /** The only reader of the first output, if it casts to the half dtype that all data came from. */
  private static Optional<Task> narrowing(Program program, Uses uses, Task task, int data) {
    return uses.readers(task.out(0), Cast.class).stream()
        .filter(cast -> uses.onlyFor(cast, task.out(0)))
        .filter(cast -> program.spec(cast.out(0)).dtype().half())
        .filter(cast -> overflowsToInfinity(cast))
        .filter(
            cast ->
                IntStream.range(0, data)
                    .allMatch(
                        i ->
                            uses.producer(task.in(i), Cast.class)
                                .filter(c -> sameSpec(program, c.in(0), cast.out(0)))
                                .isPresent()))
        .findFirst();
  }

  /** As a kernel does that rounds its output to half itself. */
  private static boolean overflowsToInfinity(Task cast) {
    return Uses.op(cast, Cast.class).map(Cast::overflow).equals(Optional.of(CastOverflow.INF));
  }

  private static boolean sameSpec(Program program, int a, int b) {
    return program.spec(a).equals(program.spec(b));
  }

  private static Task inHalf(Uses uses, Task task, int data, Task narrowing) {
    List<Integer> in = new ArrayList<>(task.in());
    for (int i = 0; i < data; i++) {
      in.set(i, uses.producer(task.in(i)).orElseThrow().in(0));
    }
    List<Integer> out = new ArrayList<>(task.out());
    out.set(0, narrowing.out(0));
    return new Task(task.work(), in, out, task.at());
  }
}
