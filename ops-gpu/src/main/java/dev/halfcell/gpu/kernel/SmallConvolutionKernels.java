package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;

/**
 * Convolutions of small images in half and their gradients: {@code small_convolution.cu} and {@code
 * small_weight_gradient.cu}. These are faster than NVIDIA's libraries, which turn images before and
 * behind each convolution.
 */
final class SmallConvolutionKernels {
  private SmallConvolutionKernels() {}

  /** A convolution, or its gradient by the image; none where it is not small. */
  static Optional<Recipe> convolution(
      KernelLibrary kernels, DType dtype, ConvolutionShapes of, boolean relu) {
    return SmallConvolution.of(of, dtype)
        .map(
            small -> {
              GpuKernel kernel = kernels.kernel("small_convolution", "small_convolution", dtype);
              long blocks = (long) of.image().dim(0) * small.strips();
              return Recipe.of(
                  place ->
                      List.of(
                          new KernelLaunch(
                              kernel,
                              Size.of(blocks),
                              Size.of(KernelLaunch.THREADS),
                              List.of(
                                  place.in(0).argument(),
                                  place.in(1).argument(),
                                  place.in().size() == 3
                                      ? place.in(2).argument()
                                      : KernelLaunch.NONE,
                                  place.out(0).argument(),
                                  of.argument(small.strips(), 1, relu),
                                  new Argument.Int32(small.rows())))));
            });
  }

  /** A gradient by the weight; none where it is not small. */
  static Optional<Recipe> weights(
      KernelLibrary kernels, DType dtype, TensorSpec out, ConvolutionShapes of) {
    return SmallConvolution.weightGradient(of, dtype)
        .map(
            small -> {
              String name = "small_weight_gradient_" + of.weight().dim(2);
              GpuKernel kernel = kernels.kernel("small_weight_gradient", name, dtype);
              PartialSums sums = PartialSums.ofParts(small.parts(of));
              return Recipe.of(
                  List.of(sums.bytes(out.size())),
                  place -> {
                    DeviceMemory parts = place.workspaces().getFirst();
                    return List.of(
                        added(kernel, place, parts, of, small),
                        sums.put(kernels, parts, KernelLaunch.NONE, place.out(0), false));
                  });
            });
  }

  private static Launch added(
      GpuKernel kernel,
      Recipe.Place place,
      DeviceMemory parts,
      ConvolutionShapes of,
      SmallConvolution small) {
    return new KernelLaunch(
        kernel,
        Size.of(small.parts(of) * small.groups(of)),
        Size.of(KernelLaunch.THREADS),
        List.of(
            place.in(0).argument(),
            place.in(1).argument(),
            new Argument.Address(parts),
            of.argument(small.strips(), 1, false),
            new Argument.Int32(small.rows()),
            new Argument.Int32(Math.toIntExact(small.parts(of))),
            new Argument.Int32(small.results()),
            new Argument.Int32(small.sources())));
  }
}
