package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.update.MomentumRule;
import dev.halfcell.op.update.Update;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Rules of optimizers: {@code update.cu}. */
final class UpdateKernels {
  private UpdateKernels() {}

  static Recipe of(KernelLibrary kernels, Update op, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    boolean computed = ElementwiseKernels.COMPUTED.contains(dtype);
    if (computed && op instanceof MomentumRule rule && in.get(3).dtype() == DType.FP32) {
      return momentum(kernels, rule, dtype);
    }
    throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
  }

  private static Recipe momentum(KernelLibrary kernels, MomentumRule rule, DType dtype) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel("update", "momentum", dtype),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.in(2).argument(),
                    place.in(3).argument(),
                    place.out(0).argument(),
                    place.out(1).argument(),
                    new Argument.Float32((float) rule.momentum()),
                    new Argument.Int32(rule.nesterov() ? 1 : 0),
                    new Argument.Float32((float) rule.weightDecay()),
                    new Argument.Int32(rule.decoupled() ? 1 : 0),
                    place.out(0).size())));
  }
}
