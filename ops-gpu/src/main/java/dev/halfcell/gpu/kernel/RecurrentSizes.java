package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.gpu.library.Multiplication;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.Layer;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/**
 * How large a recurrent layer and its sequences are.
 *
 * @param of the forward pass
 * @param dtype that of x and of all weights
 */
record RecurrentSizes(Layer of, DType dtype, int time, int batch, int inputs, int hidden) {
  private static final int TILE = 16;
  private static final long MOST_ROWS = TILE * 65535L;

  /**
   * The sizes of an op.
   *
   * @param in the inputs of the forward pass
   */
  static RecurrentSizes of(Recurrent op, Layer layer, List<TensorSpec> in, CellPath at) {
    TensorSpec x = in.getFirst();
    RecurrentSizes sizes =
        new RecurrentSizes(layer, x.dtype(), x.dim(0), x.dim(1), x.dim(2), in.get(2).dim(1));
    if (!ElementwiseKernels.COMPUTED.contains(x.dtype())) {
      throw Kernels.refusal(op.label(), "one in " + x.dtype().label(), at);
    }
    if (sizes.rows() > MOST_ROWS || sizes.gateRows() > MOST_ROWS) {
      throw Kernels.refusal(op.label(), "sequences " + x + " and weights " + in.get(2), at);
    }
    return sizes;
  }

  /** Steps of all samples. */
  long rows() {
    return (long) time * batch;
  }

  /** Of the weights. */
  long gateRows() {
    return (long) of.gates() * hidden;
  }

  /** Elements of a state. */
  long state() {
    return (long) batch * hidden;
  }

  /** The name of a kernel of which either layer has its own. */
  String own(String kernel) {
    return (of instanceof Lstm ? "lstm_" : "gru_") + kernel;
  }

  /** What kernels take first. */
  Argument walk() {
    return new Argument.Words(
        List.of((long) time, (long) batch, (long) hidden, of.pass().reverse() ? 1L : 0L));
  }

  /** A tile of threads for hidden units and samples. */
  Launch tiled(KernelLibrary kernels, String file, String name, List<Argument> arguments) {
    return new KernelLaunch(
        kernels.kernel(file, name, dtype),
        new Size(Math.ceilDiv(hidden, TILE), Math.ceilDiv(batch, TILE), 1),
        new Size(TILE, TILE, 1),
        arguments);
  }

  /**
   * A factor of a product.
   *
   * @param transposed whether its rows are the columns of what lies in memory
   */
  record Factor(Argument.Address memory, boolean transposed) {}

  /** y [m, n] = a [m, k] · b [k, n]. */
  Launch product(
      KernelLibrary kernels,
      Factor a,
      Factor b,
      Argument.Address y,
      boolean wide,
      Multiplication.Size size) {
    Multiplication product =
        new Multiplication(
            dtype,
            wide ? DType.FP32 : dtype,
            size,
            1,
            new Multiplication.Operand(a.transposed(), false),
            new Multiplication.Operand(b.transposed(), false));
    return OwnProduct.of(product)
        .whole(
            kernels,
            new OwnProduct.Place(
                a.memory().memory(), b.memory().memory(), KernelLaunch.NONE, y.memory()));
  }

  /** The name of a kernel whose result leaves rounded or in FP32. */
  String named(String kernel, boolean wide) {
    return wide && dtype.half() ? kernel + "_wide" : kernel;
  }
}
