package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.DeviceMemory;
import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dInputGradient;
import dev.halfcell.op.convolution.Conv2dTranspose;
import dev.halfcell.op.convolution.Conv2dWeightGradient;
import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** Convolutions and their gradients: {@code convolution.cu} and {@code convolution_weights.cu}. */
final class ConvolutionKernels {
  private static final String FILE = "convolution";
  private static final String WEIGHTS = "convolution_weights";

  /** Groups of at most so many channels leave most of a tile empty. */
  private static final int FEW = 2;

  /** As many blocks keep a large GPU busy. */
  private static final long BUSY = 512;

  /** The least that a part of a sum is worth its place in memory for. */
  private static final long LEAST_CHUNK = 256;

  private ConvolutionKernels() {}

  static Recipe of(
      KernelLibrary kernels,
      Convolution op,
      List<TensorSpec> in,
      List<TensorSpec> out,
      CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    Shape first = in.get(0).shape();
    Shape second = in.get(1).shape();
    Shape result = out.getFirst().shape();
    return switch (op) {
      case Conv2d _ ->
          convolution(
              kernels,
              dtype,
              new ConvolutionShapes(op.geometry(), first, second, result, false));
      case Conv2dTranspose _, Conv2dInputGradient _ ->
          convolution(
              kernels, dtype, new ConvolutionShapes(op.geometry(), result, second, first, true));
      case Conv2dWeightGradient _ ->
          weights(
              kernels,
              in.getFirst(),
              out.getFirst(),
              new ConvolutionShapes(op.geometry(), second, result, first, false));
    };
  }

  private static Recipe convolution(KernelLibrary kernels, DType dtype, ConvolutionShapes of) {
    if (of.results() <= FEW) {
      GpuKernel kernel = kernels.kernel(FILE, "convolution_of_few", dtype);
      return Recipe.of(
          place ->
              List.of(
                  KernelLaunch.each(
                      kernel,
                      place.out(0).spec().size(),
                      arguments(place, of.argument(1, 1)).toArray(Argument[]::new))));
    }
    Tiles tiles =
        Tiles.of(of.results(), of.phasePlaces(), of.groups() * of.phases());
    GpuKernel kernel = kernels.kernel(FILE, "convolution_" + tiles.rows(), dtype);
    Argument shapes = of.argument(tiles.across(), tiles.down());
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

  /** The sums in float, in parts where they are long; and then they are put together. */
  private static Recipe weights(
      KernelLibrary kernels, TensorSpec d, TensorSpec out, ConvolutionShapes of) {
    boolean few = of.results() <= FEW;
    long chunk = few ? of.windowPlaces() : chunk(of);
    long parts = Math.ceilDiv(of.windowPlaces(), chunk);
    boolean whole = parts == 1 && out.dtype() == DType.FP32;
    long size = out.size();
    return Recipe.of(
        whole ? List.of() : List.of(4 * parts * size),
        place -> {
          DeviceMemory sums =
              whole ? place.out(0).memory() : place.workspaces().getFirst();
          List<Launch> launches = new ArrayList<>();
          launches.add(
              few
                  ? sumsOfFew(kernels, place, sums, of)
                  : sums(kernels, place, sums, of, chunk));
          if (!whole) {
            launches.add(
                Parts.sum(kernels, sums, KernelLaunch.NONE, place.out(0), parts));
          }
          return launches;
        });
  }

  /** How many places of windows are added up in one part: so many that a GPU is kept busy. */
  private static long chunk(ConvolutionShapes of) {
    long blocks = Tiles.tall(of.results(), of.elements(), of.groups()).blocks();
    long most = Math.ceilDiv(of.windowPlaces(), LEAST_CHUNK);
    return Math.ceilDiv(of.windowPlaces(), Math.clamp(Math.ceilDiv(BUSY, blocks), 1, most));
  }

  private static Launch sums(
      KernelLibrary kernels,
      Recipe.Place place,
      DeviceMemory sums,
      ConvolutionShapes of,
      long chunk) {
    long parts = Math.ceilDiv(of.windowPlaces(), chunk);
    Tiles tiles = Tiles.tall(of.results(), of.elements(), of.groups() * parts);
    return tiles.launch(
        kernels.kernel(WEIGHTS, "weight_gradient_" + tiles.rows(), place.in(0).spec().dtype()),
        List.of(
            place.in(0).argument(),
            place.in(1).argument(),
            new Argument.Address(sums),
            of.argument(tiles.across(), tiles.down()),
            new Argument.Int64(chunk)));
  }

  private static Launch sumsOfFew(
      KernelLibrary kernels, Recipe.Place place, DeviceMemory sums, ConvolutionShapes of) {
    return new KernelLaunch(
        kernels.kernel(WEIGHTS, "weight_gradient_of_few", place.in(0).spec().dtype()),
        Size.of(of.weight().size()),
        Size.of(KernelLaunch.THREADS),
        List.of(
            place.in(0).argument(),
            place.in(1).argument(),
            new Argument.Address(sums),
            of.argument(1, 1)));
  }
}
