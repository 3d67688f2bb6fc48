package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.Dropout;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Ops that draw random numbers: {@code random.cu}. */
final class RandomKernels {
  /** Random numbers are multiples of 2⁻⁵³: kernels compare them as whole numbers. */
  private static final double WHOLE = 0x1p53;

  private RandomKernels() {}

  static Recipe of(KernelLibrary kernels, RandomOp op, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    return switch (op) {
      case Dropout(double rate, RandomKey key) ->
          Recipe.of(
              place ->
                  List.of(
                      KernelLaunch.each(
                          kernels.kernel("random", "dropout", dtype),
                          place.out(0).spec().size(),
                          place.in(0).argument(),
                          place.out(0).argument(),
                          draw(key, place.in(0), place.in(1)),
                          new Argument.Int64((long) Math.ceil(rate * WHOLE)),
                          new Argument.Float32((float) (1 - rate)),
                          place.out(0).size())));
    };
  }

  /** Who draws for the elements of x, by the numbers of its samples: {@code random.cuh}. */
  static Argument draw(RandomKey key, DeviceTensor x, DeviceTensor samples) {
    return new Argument.Words(
        List.of(
            key.stream(),
            samples.memory().address(),
            (long) samples.spec().dtype().bytes(),
            x.spec().size() / samples.spec().size()));
  }
}
