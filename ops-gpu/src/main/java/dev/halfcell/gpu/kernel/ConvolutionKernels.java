package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.gpu.library.ConvolutionProblem;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.Optional;

/**
 * Convolutions and their gradients: those of small images and of images of few channels in half by
 * own kernels; others by NVIDIA's library, or by own kernels where that does not and where there is
 * a bias: {@code convolution.cu} and {@code convolution_weights.cu}.
 */
final class ConvolutionKernels {
  private static final String FILE = "convolution";
  private static final String WEIGHTS = "convolution_weights";

  /** Groups of at most so many channels leave most of a tile empty. */
  private static final int FEW = 2;

  private ConvolutionKernels() {}

  static Recipe of(
      Code code, Convolution op, List<TensorSpec> in, List<TensorSpec> out, CellPath at) {
    return of(code, op, false, in, out, at);
  }

  /** The work {@link Work.ConvolutionRelu}. */
  static Recipe relu(
      Code code,
      Work.ConvolutionRelu work,
      List<TensorSpec> in,
      List<TensorSpec> out,
      CellPath at) {
    return of(code, new Conv2d(work.geometry()), true, in, out, at);
  }

  private static Recipe of(
      Code code,
      Convolution op,
      boolean relu,
      List<TensorSpec> in,
      List<TensorSpec> out,
      CellPath at) {
    DType dtype = in.getFirst().dtype();
    Kernels.requireComputed(op, dtype, at);
    ConvolutionShapes shapes = ConvolutionShapes.of(op, in, out.getFirst(), at);
    return small(code.kernels(), op, dtype, out.getFirst(), shapes, relu)
        .orElseGet(() -> tiled(code, op, relu, in, out.getFirst(), shapes));
  }

  private static Optional<Recipe> small(
      KernelLibrary kernels,
      Convolution op,
      DType dtype,
      TensorSpec out,
      ConvolutionShapes shapes,
      boolean relu) {
    return switch (op) {
      case Conv2d _, Conv2dTranspose _, Conv2dInputGradient _ ->
          SmallConvolutionKernels.convolution(kernels, dtype, shapes, relu)
              .or(() -> FewChannels.convolution(kernels, dtype, shapes, relu));
      case Conv2dWeightGradient _ ->
          SmallConvolutionKernels.weights(kernels, dtype, out, shapes)
              .or(() -> FewChannels.weights(kernels, dtype, out, shapes));
    };
  }

  private static Recipe tiled(
      Code code,
      Convolution op,
      boolean relu,
      List<TensorSpec> in,
      TensorSpec out,
      ConvolutionShapes shapes) {
    DType dtype = in.getFirst().dtype();
    Recipe own = own(code.kernels(), op, relu, dtype, out, shapes);
    boolean ended = in.size() > 2 || relu; // the library would round before that
    return ended
        ? own
        : byLibrary(code, problem(op, dtype, out.dtype(), shapes), in, own).orElse(own);
  }

  private static Recipe own(
      KernelLibrary kernels,
      Convolution op,
      boolean relu,
      DType dtype,
      TensorSpec out,
      ConvolutionShapes shapes) {
    return switch (op) {
      case Conv2d _, Conv2dTranspose _, Conv2dInputGradient _ ->
          convolution(kernels, dtype, shapes, relu);
      case Conv2dWeightGradient _ -> weights(kernels, out, shapes);
    };
  }

  /**
   * The same of images and weights whose channels lie last, and of a gradient by a weight that does
   * not; none where no library computes that.
   */
  static Optional<Recipe> last(
      Code code, Convolution op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    DType dtype = in.getFirst().dtype();
    ConvolutionShapes shapes = ConvolutionShapes.of(op, in, out, at);
    Recipe own = own(code.kernels(), op, false, dtype, out, shapes);
    ConvolutionProblem problem = problem(op, dtype, out.dtype(), shapes);
    if (problem.pass() == ConvolutionProblem.Pass.WEIGHT_GRADIENT) {
      Optional<Recipe> strips = WeightGradientLast.recipe(code.kernels(), dtype, shapes);
      if (problem.widens() && strips.isPresent()) {
        return strips;
      }
      return problem.widens()
              && TurnedWeightGradient.fits(code, in)
              && in.stream().allMatch(ConvolutionLast::fit)
          ? TurnedWeightGradient.of(code, problem, in, true, own)
          : Optional.empty();
    }
    return ConvolutionLast.of(code, problem, in, out, own);
  }

  /** Whether own kernels for small images compute it. */
  static boolean isSmall(Convolution op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    DType dtype = in.getFirst().dtype();
    ConvolutionShapes shapes = ConvolutionShapes.of(op, in, out, at);
    return (op instanceof Conv2dWeightGradient
            ? SmallConvolution.weightGradient(shapes, dtype)
            : SmallConvolution.of(shapes, dtype))
        .isPresent();
  }

  private static Optional<Recipe> byLibrary(
      Code code, ConvolutionProblem problem, List<TensorSpec> in, Recipe own) {
    return problem.widens() && TurnedWeightGradient.fits(code, in)
        ? TurnedWeightGradient.of(code, problem, in, false, own)
        : code.convolutions()
            .task(problem)
            .map(task -> LibraryLaunch.recipe(code.convolutions().name(), task, own));
  }

  private static ConvolutionProblem problem(
      Convolution op, DType in, DType out, ConvolutionShapes of) {
    ConvolutionProblem.Pass pass =
        switch (op) {
          case Conv2d _ -> ConvolutionProblem.Pass.FORWARD;
          case Conv2dTranspose _, Conv2dInputGradient _ -> ConvolutionProblem.Pass.IMAGE_GRADIENT;
          case Conv2dWeightGradient _ -> ConvolutionProblem.Pass.WEIGHT_GRADIENT;
        };
    return new ConvolutionProblem(
        pass,
        in,
        out,
        new ConvolutionProblem.Shapes(of.image(), of.weight(), of.windows()),
        op.geometry());
  }

  private static Recipe convolution(
      KernelLibrary kernels, DType dtype, ConvolutionShapes of, boolean relu) {
    if (of.results() <= FEW) {
      GpuKernel kernel = kernels.kernel(FILE, "convolution_of_few", dtype);
      return Recipe.of(
          place ->
              List.of(
                  KernelLaunch.each(
                      kernel,
                      place.out(0).spec().size(),
                      arguments(place, of.argument(1, 1, relu)).toArray(Argument[]::new))));
    }
    Tiles tiles = Tiles.of(of.results(), of.phasePlaces(), of.groups() * of.phases());
    GpuKernel kernel = kernels.kernel(FILE, "convolution_" + tiles.rows(), dtype);
    Argument shapes = of.argument(tiles.across(), tiles.down(), relu);
    return Recipe.of(place -> List.of(tiles.launch(kernel, arguments(place, shapes))));
  }

  private static List<Argument> arguments(Recipe.Place place, Argument shapes) {
    boolean biased = place.in().size() == 3;
    return List.of(
        place.in(0).argument(),
        place.in(1).argument(),
        biased ? place.in(2).argument() : new Argument.Address(DeviceMemory.NONE),
        place.out(0).argument(),
        shapes);
  }

  /** The sums in FP32, in parts where they are long. */
  private static Recipe weights(KernelLibrary kernels, TensorSpec out, ConvolutionShapes of) {
    boolean few = of.results() <= FEW;
    long blocks = Tiles.tall(of.results(), of.elements(), of.groups()).blocks();
    PartialSums sums =
        few ? PartialSums.whole(of.windowPlaces()) : PartialSums.of(of.windowPlaces(), blocks);
    Added added = few ? ConvolutionKernels::addedOfFew : ConvolutionKernels::added;
    if (sums.parts() == 1 && out.dtype() == DType.FP32) {
      return Recipe.of(place -> List.of(added.by(kernels, place, place.out(0).memory(), of, sums)));
    }
    return Recipe.of(
        List.of(sums.bytes(out.size())),
        place -> {
          DeviceMemory parts = place.workspaces().getFirst();
          Argument none = new Argument.Address(DeviceMemory.NONE);
          return List.of(
              added.by(kernels, place, parts, of, sums),
              sums.put(kernels, parts, none, place.out(0), false));
        });
  }

  /** What adds up the parts of sums, into {@code parts}. */
  @FunctionalInterface
  private interface Added {
    Launch by(
        KernelLibrary kernels,
        Recipe.Place place,
        DeviceMemory parts,
        ConvolutionShapes of,
        PartialSums sums);
  }

  private static Launch added(
      KernelLibrary kernels,
      Recipe.Place place,
      DeviceMemory parts,
      ConvolutionShapes of,
      PartialSums sums) {
    Tiles tiles = Tiles.tall(of.results(), of.elements(), of.groups() * sums.parts());
    return tiles.launch(
        kernels.kernel(WEIGHTS, "weight_gradient_" + tiles.rows(), place.in(0).spec().dtype()),
        List.of(
            place.in(0).argument(),
            place.in(1).argument(),
            new Argument.Address(parts),
            of.argument(tiles.across(), tiles.down(), false),
            new Argument.Int64(sums.chunk())));
  }

  private static Launch addedOfFew(
      KernelLibrary kernels,
      Recipe.Place place,
      DeviceMemory parts,
      ConvolutionShapes of,
      PartialSums sums) {
    return new KernelLaunch(
        kernels.kernel(WEIGHTS, "weight_gradient_of_few", place.in(0).spec().dtype()),
        Size.of(of.weight().size()),
        Size.of(KernelLaunch.THREADS),
        List.of(
            place.in(0).argument(),
            place.in(1).argument(),
            new Argument.Address(parts),
            of.argument(1, 1, false)));
  }
}
