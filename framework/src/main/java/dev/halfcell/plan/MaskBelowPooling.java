package dev.halfcell.plan;

import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * ReluGradient(MaxPool2dGradient(d, position), y) becomes MaxPool2dGradient(ReluGradient(d,
 * pooled), position), as one {@link Work.ReluMaxPoolGradient}, where (pooled, position) =
 * MaxPool2d(y): the backward pass no longer reads the image y, only what was pooled from it.
 *
 * <p>Exact for every window, overlapping or not. Element i of the left side is the sum of d[o] over
 * all windows o with position(o) = i if y[i] &gt; 0, else 0. For each of those o, pooled[o] is y[i]
 * itself, padding never being the largest, so that the right side masks all terms of that sum or
 * none, by the same comparison. That holds for ties, zeros of either sign and NaN, which a pooling
 * passes on and which is not &gt; 0.
 */
final class MaskBelowPooling implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task mask : program.tasks()) {
      Optional<Task> spread = spread(uses, mask);
      if (spread.isPresent()) {
        edits.drop(spread.get());
        edits.replace(mask, masked(program, uses, spread.get(), mask));
      }
    }
    return edits.of(program);
  }

  /** The gradient of a pooling of y that {@code mask} alone reads. */
  private static Optional<Task> spread(Uses uses, Task mask) {
    return Uses.op(mask, ReluGradient.class)
        .flatMap(_ -> uses.producer(mask.in(0), MaxPool2dGradient.class))
        .filter(spread -> uses.onlyFor(mask, spread.out(0)))
        .filter(spread -> isOf(uses, spread, mask.in(1)));
  }

  /** Whether {@code spread} is the gradient of a pooling of {@code image}. */
  private static boolean isOf(Uses uses, Task spread, int image) {
    return uses.producer(spread.in(1), MaxPool2d.class)
        .filter(pooling -> pooling.in(0) == image && pooling.out(1) == spread.in(1))
        .flatMap(pooling -> Uses.op(pooling, MaxPool2d.class))
        .flatMap(
            op ->
                Uses.op(spread, MaxPool2dGradient.class)
                    .filter(gradient -> gradient.windows().equals(op.windows())))
        .isPresent();
  }

  private static Task masked(Program program, Uses uses, Task spread, Task mask) {
    Task pooling = uses.producer(spread.in(1)).orElseThrow();
    MaxPool2dGradient op = Uses.op(spread, MaxPool2dGradient.class).orElseThrow();
    Shape input = program.spec(mask.out(0)).shape();
    return new Task(
        new Work.ReluMaxPoolGradient(op.windows(), input),
        List.of(spread.in(0), pooling.out(0), spread.in(1)),
        mask.out(),
        spread.at());
  }
}
