package dev.halfcell.plan;

import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.reduction.Sum;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The gradients of a layer's weight and bias, two reductions of the same d, become one task in the
 * place of the first of them.
 */
final class FuseParameterGradients implements Rewrite {
  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Edits edits = new Edits();
    for (Task byWeight : program.tasks()) {
      if (isWeightGradient(program, byWeight)) {
        uses.readers(byWeight.in(0), Sum.class).stream()
            .filter(sum -> sumsAllButChannels(program, sum) && !edits.touches(sum))
            .findFirst()
            .ifPresent(sum -> fuse(uses, edits, byWeight, sum));
      }
    }
    return edits.of(program);
  }

  private static boolean isWeightGradient(Program program, Task task) {
    return Uses.op(task, Conv2dWeightGradient.class).isPresent()
        || Uses.op(task, MatMul.class)
            .filter(op -> op.transposeA() && !op.transposeB())
            .filter(_ -> program.spec(task.out(0)).rank() == 2) // one product, not many
            .isPresent();
  }

  /** Whether axis 1, the channels or features, is the only one left. */
  private static boolean sumsAllButChannels(Program program, Task sum) {
    Set<Integer> others =
        IntStream.range(0, program.spec(sum.in(0)).rank())
            .filter(axis -> axis != 1)
            .boxed()
            .collect(Collectors.toSet());
    return Uses.op(sum, Sum.class)
        .filter(op -> new HashSet<>(op.axes()).equals(others))
        .isPresent();
  }

  private static void fuse(Uses uses, Edits edits, Task byWeight, Task sum) {
    boolean weightFirst = uses.place(byWeight) < uses.place(sum);
    if (!weightFirst && !uses.ready(byWeight.in(1), sum)) {
      return;
    }
    boolean wideBias = Uses.op(sum, Sum.class).orElseThrow().wide();
    List<Integer> out = List.of(byWeight.out(0), sum.out(0));
    Task both = new Task(work(byWeight, wideBias), byWeight.in(), out, byWeight.at());
    edits.replace(weightFirst ? byWeight : sum, both);
    edits.drop(weightFirst ? sum : byWeight);
  }

  private static Work work(Task byWeight, boolean wideBias) {
    return Uses.op(byWeight, Conv2dWeightGradient.class)
        .<Work>map(
            op ->
                new Work.ConvolutionParameterGradients(
                    op.geometry(), op.weight(), op.wide(), wideBias))
        .orElseGet(
            () -> {
              boolean wide = Uses.op(byWeight, MatMul.class).orElseThrow().wide();
              return new Work.DenseParameterGradients(wide, wideBias);
            });
  }
}
