package dev.halfcell.plan;

import dev.halfcell.op.Op;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.normalization.BatchNormGradient;
import dev.halfcell.op.pooling.AvgPool2dGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * On a machine that cannot compute in a half dtype, gradients of activations stay in FP32 from the
 * kernel that yields them to those that read them: they live too briefly to save memory, and each
 * would be rounded and widened again at every kernel. What the forward pass keeps stays half. The
 * roundings of those gradients are left out.
 *
 * <p>A slot is widened where all that touch it are works of convolutional networks whose kernels
 * take each operand in a dtype of its own. Such a work means what it means on inputs that were all
 * widened.
 *
 * @param stored the half dtypes that are storage only
 */
public record WidenGradients(Set<DType> stored) implements Rewrite {
  public WidenGradients {
    stored = Set.copyOf(stored);
  }

  @Override
  public Program apply(Program program) {
    Uses uses = new Uses(program);
    Map<Integer, TensorSpec> wide = new HashMap<>();
    for (Task task : backward(program)) {
      if (yieldsGradient(task.work())) {
        int slot = task.out(0);
        TensorSpec spec = program.spec(slot);
        if (stored.contains(spec.dtype()) && free(program, uses, slot)) {
          wide.put(slot, spec.as(DType.FP32));
        }
      }
    }
    return program.respecified(wide);
  }

  /** The tasks behind the loss; none where there is no loss. */
  private static List<Task> backward(Program program) {
    int loss = ActivationBytes.loss(program);
    return loss < 0 ? List.of() : program.tasks().subList(loss + 1, program.tasks().size());
  }

  private static boolean free(Program program, Uses uses, int slot) {
    boolean viewed = program.views().containsKey(slot) || program.views().containsValue(slot);
    return !viewed
        && !uses.kept(slot)
        && uses.readers(slot).stream().allMatch(reader -> readsAsGradient(reader, slot));
  }

  private static boolean yieldsGradient(Work work) {
    return switch (work) {
      case Work.Single(Op op) ->
          op instanceof Conv2dInputGradient
              || op instanceof BatchNormGradient
              || op instanceof ReluGradient
              || op instanceof Add
              || op instanceof AvgPool2dGradient;
      case Work.BatchNormReluGradient _, Work.AddReluGradient _ -> true;
      case Work.ConvolutionRelu _,
          Work.DenseRelu _,
          Work.AddRelu _,
          Work.BatchNormRelu _,
          Work.ReluMaxPool _,
          Work.ReluMaxPoolGradient _,
          Work.ConvolutionParameterGradients _,
          Work.DenseParameterGradients _,
          Work.SoftmaxCrossEntropyWithGradient _,
          Work.Together _,
          Work.Relayout _,
          Work.Round _,
          UpdateAll _ ->
          false;
    };
  }

  /** Whether the slot is among the inputs of a work that are gradients, and no other input. */
  private static boolean readsAsGradient(Task reader, int slot) {
    boolean parameters =
        reader.work() instanceof Work.ConvolutionParameterGradients
            || reader.work() instanceof Work.Single(Op op) && op instanceof Conv2dWeightGradient;
    if (!parameters && !yieldsGradient(reader.work())) {
      return false;
    }
    boolean sum =
        reader.work() instanceof Work.AddReluGradient
            || reader.work() instanceof Work.Single(Op op) && op instanceof Add;
    List<Integer> others = reader.in().subList(sum ? 2 : 1, reader.in().size());
    return !others.contains(slot);
  }
}
