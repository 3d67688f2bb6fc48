package dev.halfcell.plan;

import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.BatchNormGradient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A batch normalisation becomes one task with the ReLU that alone reads its result, or that alone
 * reads the sum of its result and another tensor that is there by then: the end of a residual
 * block. Backward, the gradient of the ReLU goes into that of the normalisation if only that reads
 * it.
 */
final class FuseBatchNormRelu implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task task : program.tasks()) {
      if (Uses.op(task, Relu.class).isPresent()) {
        forward(program, uses, edits, task);
      }
      Uses.op(task, BatchNormGradient.class).ifPresent(op -> backward(uses, edits, op, task));
    }
    return edits.of(program);
  }

  private static void forward(Program program, Uses uses, Edits edits, Task relu) {
    Optional<Task> before = uses.producer(relu.in(0)).filter(t -> uses.onlyFor(relu, t.out(0)));
    Optional<Task> norm = before.filter(FuseBatchNormRelu::normalises);
    if (norm.isPresent()) {
      edits.replace(norm.get(), fused(norm.get(), List.of(), relu.out(0)));
      edits.drop(relu);
      return;
    }
    before
        .filter(add -> alike(program, add))
        .flatMap(add -> fusedWithSum(uses, add, relu))
        .ifPresent(
            fused -> {
              edits.replace(fused.norm(), fused.task());
              edits.drop(before.get());
              edits.drop(relu);
            });
  }

  private static boolean normalises(Task task) {
    return Uses.op(task, BatchNorm.class).isPresent();
  }

  private static boolean alike(Program program, Task task) {
    return Uses.op(task, Add.class).isPresent()
        && program.spec(task.in(0)).equals(program.spec(task.in(1)));
  }

  private record Fused(Task norm, Task task) {}

  /** With the later one of two normalisations, for which the other's result is there. */
  private static Optional<Fused> fusedWithSum(Uses uses, Task add, Task relu) {
    for (int i = 1; i >= 0; i--) {
      int normalised = add.in(i);
      int other = add.in(1 - i);
      Optional<Task> norm =
          uses.producer(normalised)
              .filter(FuseBatchNormRelu::normalises)
              .filter(task -> task.out(0) == normalised)
              .filter(task -> uses.onlyFor(add, normalised) && normalised != other)
              .filter(task -> uses.ready(other, task));
      if (norm.isPresent()) {
        return Optional.of(new Fused(norm.get(), fused(norm.get(), List.of(other), relu.out(0))));
      }
    }
    return Optional.empty();
  }

  private static Task fused(Task norm, List<Integer> added, int y) {
    BatchNorm op = Uses.op(norm, BatchNorm.class).orElseThrow();
    List<Integer> in = new ArrayList<>(norm.in());
    in.addAll(added);
    Work work = new Work.BatchNormRelu(op, !added.isEmpty());
    return new Task(work, in, List.of(y, norm.out(1), norm.out(2)), norm.at());
  }

  private static void backward(Uses uses, Edits edits, BatchNormGradient op, Task norm) {
    Optional<Task> mask =
        uses.producer(norm.in(0), ReluGradient.class)
            .filter(task -> uses.onlyFor(norm, task.out(0)))
            .filter(task -> !norm.in().subList(1, norm.in().size()).contains(task.out(0)));
    if (mask.isPresent()) {
      List<Integer> in = new ArrayList<>(norm.in());
      in.set(0, mask.get().in(0));
      in.add(mask.get().in(1));
      Work work = new Work.BatchNormReluGradient(op);
      edits.replace(norm, new Task(work, in, norm.out(), norm.at()));
      edits.drop(mask.get());
    }
  }
}
