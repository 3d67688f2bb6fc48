package dev.halfcell.cpu;

import dev.halfcell.cpu.kernel.Layout;
import dev.halfcell.op.Op;
import dev.halfcell.op.attention.Attention;
import dev.halfcell.op.collective.CollectiveOp;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.op.linear.Linear;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.normalization.GroupwiseGradient;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalization;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.precision.Cast;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.precision.StochasticCast;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.shape.Rearrangement;
import dev.halfcell.op.update.Update;
import dev.halfcell.plan.Program;
import dev.halfcell.plan.Task;
import dev.halfcell.plan.UpdateAll;
import dev.halfcell.plan.Work;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the order of elements of each slot: channels last for the images between convolutions,
 * row-major for what comes in, goes out, is a parameter or changes its shape.
 */
final class Layouts {
  private final Program program;
  private final Set<Integer> images = new HashSet<>();
  private final Set<Integer> fixed = new HashSet<>();

  private Layouts(Program program) {
    this.program = program;
  }

  /** The slots that are to lie channels last. */
  static Set<Integer> channelsLast(Program program) {
    Layouts layouts = new Layouts(program);
    layouts.fix();
    layouts.spread();
    layouts.images.removeAll(layouts.fixed);
    return layouts.images;
  }

  /** The layout of a slot, given the answer of {@link #channelsLast}. */
  static Layout of(int slot, Set<Integer> channelsLast) {
    return channelsLast.contains(slot) ? Layout.CHANNELS_LAST : Layout.ROW_MAJOR;
  }

  private void fix() {
    fixed.addAll(program.kept());
    for (int slot = 0; slot < program.slots().size(); slot++) {
      if (program.given(slot) || program.spec(slot).rank() != 4) {
        fixed.add(slot);
      }
    }
    program.views().forEach((view, storage) -> fixed.addAll(List.of(view, storage)));
    for (Task task : program.tasks()) {
      if (task.work() instanceof Work.Single(Op op) && op instanceof Rearrangement) {
        fixed.addAll(task.in());
        fixed.addAll(task.out());
      }
    }
  }

  /** From the convolutions and poolings on, through all that works place by place. */
  private void spread() {
    int before;
    do {
      before = images.size();
      for (Task task : program.tasks()) {
        List<Integer> alike = alike(task);
        if (startsImages(task.work()) || alike.stream().anyMatch(images::contains)) {
          alike.stream().filter(slot -> program.spec(slot).rank() == 4).forEach(images::add);
        }
      }
    } while (images.size() > before);
  }

  private static boolean startsImages(Work work) {
    return switch (work) {
      case Work.Single(Op op) -> op instanceof Convolution || op instanceof Pooling;
      case Work.ConvolutionRelu _,
          Work.ConvolutionParameterGradients _,
          Work.ReluMaxPool _,
          Work.ReluMaxPoolGradient _ ->
          true;
      case Work.DenseRelu _,
          Work.AddRelu _,
          Work.AddReluGradient _,
          Work.BatchNormRelu _,
          Work.BatchNormReluGradient _,
          Work.DenseParameterGradients _,
          Work.SoftmaxCrossEntropyWithGradient _,
          Work.Together _,
          Work.Relayout _,
          Work.Round _,
          UpdateAll _ ->
          false;
    };
  }

  /** The slots of a task that are best kept in one order. */
  private List<Integer> alike(Task task) {
    return switch (task.work()) {
      case Work.Single(Op op) -> alike(op, task);
      case Work.ConvolutionRelu _ -> List.of(task.in(0), task.out(0));
      case Work.ConvolutionParameterGradients _ -> List.of(task.in(0), task.in(1));
      case Work.AddRelu _,
          Work.AddReluGradient _,
          Work.BatchNormRelu _,
          Work.BatchNormReluGradient _,
          Work.ReluMaxPool _,
          Work.ReluMaxPoolGradient _ ->
          all(task);
      case Work.DenseRelu _,
          Work.DenseParameterGradients _,
          Work.SoftmaxCrossEntropyWithGradient _,
          Work.Together _,
          Work.Relayout _,
          Work.Round _,
          UpdateAll _ ->
          List.of();
    };
  }

  private List<Integer> alike(Op op, Task task) {
    return switch (op) {
      case Conv2d _, Conv2dTranspose _, Conv2dInputGradient _ -> List.of(task.in(0), task.out(0));
      case Conv2dWeightGradient _ -> List.of(task.in(0), task.in(1));
      // Groups of channels, and all but trailing axes, are walked row by row.
      case GroupwiseNormalization _, GroupwiseGradient _ -> List.of();
      // Integers are not reordered.
      case Compare _ when !program.spec(task.in(0)).dtype().floating() -> List.of();
      // What is drawn is counted row by row.
      case StochasticCast _ -> List.of();
      // It is refused when its kernel is made.
      case WithPartials _ -> List.of();
      case Cast cast when !(cast.to().floating() && program.spec(task.in(0)).dtype().floating()) ->
          List.of();
      case Elementwise _, Pooling _, Normalization _, Precision _ -> all(task);
      case Recurrent _ -> List.of();
      case Linear _,
          Attention _,
          Host _,
          CollectiveOp _,
          Reduction _,
          Rearrangement _,
          Indexing _,
          Loss _,
          RandomOp _,
          Update _ ->
          List.of();
    };
  }

  private static List<Integer> all(Task task) {
    List<Integer> all = new ArrayList<>(task.in());
    all.addAll(task.out());
    return all;
  }
}
