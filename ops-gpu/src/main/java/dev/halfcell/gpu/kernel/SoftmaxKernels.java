package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.reduction.AlongAxis;
import dev.halfcell.op.reduction.AlongAxisGradient;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.LogSoftmaxGradient;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.SoftmaxGradient;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Softmax along the lines of an axis, its logarithm, and their gradients: {@code softmax.cu}. A
 * thread does a line where lines are short, or many lie side by side, else a block.
 *
 * @param lines how many there are
 * @param length the elements of each
 * @param after how far its elements lie apart
 */
record SoftmaxKernels(long lines, long length, long after) {
  private static final String FILE = "softmax";
  private static final int SIDE_BY_SIDE = 8;
  private static final int MANY = 4096;

  static Recipe of(KernelLibrary kernels, AlongAxis op, Shape x) {
    String name =
        switch (op) {
          case Softmax _ -> "softmax";
          case LogSoftmax _ -> "log_softmax";
        };
    return of(x, op.axis()).recipe(kernels, name);
  }

  static Recipe of(KernelLibrary kernels, AlongAxisGradient op, Shape x) {
    String name =
        switch (op) {
          case SoftmaxGradient _ -> "softmax_gradient";
          case LogSoftmaxGradient _ -> "log_softmax_gradient";
        };
    return of(x, op.axis()).recipe(kernels, name);
  }

  private static SoftmaxKernels of(Shape x, int axis) {
    long length = x.dim(axis);
    long before = x.head(axis).size();
    return new SoftmaxKernels(x.size() / length, length, x.size() / length / before);
  }

  private Recipe recipe(KernelLibrary kernels, String name) {
    return Recipe.of(
        place -> {
          List<Argument> arguments = new ArrayList<>();
          Stream.concat(place.in().stream(), place.out().stream())
              .map(DeviceTensor::argument)
              .forEach(arguments::add);
          arguments.add(new Argument.Words(List.of(lines, length, after)));
          TensorSpec x = place.in(0).spec();
          String by = byThread() ? "_by_thread" : "_by_block";
          return List.of(launch(kernels.kernel(FILE, name + by, x.dtype()), arguments));
        });
  }

  private boolean byThread() {
    return ReducedAxes.isShort(length) || (after >= SIDE_BY_SIDE && lines >= MANY);
  }

  private Launch launch(GpuKernel kernel, List<Argument> arguments) {
    return byThread()
        ? KernelLaunch.each(kernel, lines, arguments.toArray(Argument[]::new))
        : new KernelLaunch(kernel, Size.of(lines), ReducedAxes.threadsFor(length), arguments);
  }
}
