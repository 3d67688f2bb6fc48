package dev.halfcell.gpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Set;

/** Ops that compute place by place: {@code elementwise.cu}. */
final class ElementwiseKernels {
  private static final String FILE = "elementwise";

  /** The dtypes for which kernels are instantiated. */
  static final Set<DType> COMPUTED = Set.of(DType.FP32, DType.FP16, DType.BF16);

  private ElementwiseKernels() {}

  static Recipe of(KernelLibrary kernels, Elementwise op, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    return switch (op) {
      case Add _ when repeatsLeadingAxes(in.get(0).shape(), in.get(1).shape()) ->
          add(kernels, dtype);
      case Relu _ -> relu(kernels, dtype);
      case ReluGradient _ -> reluGradient(kernels, dtype);
      default -> throw Kernels.refusal(op.label(), "another op", at);
    };
  }

  /** Whether the smaller of two shapes is the end of the larger. */
  private static boolean repeatsLeadingAxes(Shape a, Shape b) {
    Shape small = a.rank() < b.rank() ? a : b;
    Shape large = a.rank() < b.rank() ? b : a;
    int missing = large.rank() - small.rank();
    for (int axis = 0; axis < small.rank(); axis++) {
      if (small.dim(axis) != large.dim(axis + missing)) {
        return false;
      }
    }
    return true;
  }

  private static Recipe add(KernelLibrary kernels, DType dtype) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, "add", dtype),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.out(0).argument(),
                    place.in(0).size(),
                    place.in(1).size(),
                    place.out(0).size())));
  }

  private static Recipe relu(KernelLibrary kernels, DType dtype) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, "relu", dtype),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.out(0).argument(),
                    place.out(0).size())));
  }

  private static Recipe reluGradient(KernelLibrary kernels, DType dtype) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, "relu_gradient", dtype),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.out(0).argument(),
                    place.out(0).size())));
  }
}
