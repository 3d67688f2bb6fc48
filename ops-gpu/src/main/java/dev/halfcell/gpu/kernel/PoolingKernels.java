package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel;
import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.gpu.driver.GpuKernel.Size;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.pooling.AdaptiveWindow2d;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.AvgPool2dGradient;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.MaxPool2dGradient;
import dev.halfcell.op.pooling.Pooling;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.pooling.Windows2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;

/** Pooling and its gradients: {@code pooling.cu}. */
final class PoolingKernels {
  private static final String FILE = "pooling";

  /** From so many places on a window gets a block of its own. */
  private static final long MANY = 128;

  private static final int THREADS = 128;

  private PoolingKernels() {}

  static Recipe of(KernelLibrary kernels, Pooling op, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (!ElementwiseKernels.COMPUTED.contains(dtype)) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    Shape first = in.getFirst().shape();
    return switch (op) {
      case MaxPool2d(Windows2d windows) ->
          max(kernels.kernel(FILE, "max_pool", dtype), shapes(windows, first));
      case MaxPool2dGradient(Windows2d windows, Shape input) ->
          maxGradient(
              kernels.kernel(FILE, "max_pool_gradient", dtype), input, shapes(windows, input));
      case AvgPool2d(Windows2d windows, boolean countPadding) ->
          average(kernels, windows, countPadding, in.getFirst());
      case AvgPool2dGradient(Windows2d windows, boolean countPadding, Shape input) -> {
        GpuKernel kernel = kernels.kernel(FILE, "avg_pool_gradient", dtype);
        Argument shapes = shapes(windows, input);
        yield Recipe.of(place -> List.of(each(kernel, place, countPadding, shapes)));
      }
    };
  }

  private static Recipe max(GpuKernel kernel, Argument shapes) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernel,
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.out(0).argument(),
                    place.out(1).argument(),
                    new Argument.Int32(place.out(1).spec().dtype().bytes()),
                    shapes)));
  }

  /** A thread for each run of neighbours in a row of the image; rows may end in short ones. */
  private static Recipe maxGradient(GpuKernel kernel, Shape image, Argument shapes) {
    int width = image.dim(3);
    long runs = image.size() / width * Math.ceilDiv(width, KernelLaunch.RUN);
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernel,
                    runs,
                    place.in(0).argument(),
                    place.in(1).argument(),
                    new Argument.Int32(place.in(1).spec().dtype().bytes()),
                    place.out(0).argument(),
                    shapes)));
  }

  private static Recipe average(
      KernelLibrary kernels, Windows2d windows, boolean countPadding, TensorSpec x) {
    Argument shapes = shapes(windows, x.shape());
    long places = (long) windows.mostRows(x.dim(2)) * windows.mostColumns(x.dim(3));
    if (places < MANY) {
      GpuKernel kernel = kernels.kernel(FILE, "avg_pool", x.dtype());
      return Recipe.of(place -> List.of(each(kernel, place, countPadding, shapes)));
    }
    GpuKernel kernel = kernels.kernel(FILE, "avg_pool_of_many", x.dtype());
    return Recipe.of(
        place ->
            List.of(
                new KernelLaunch(
                    kernel,
                    Size.of(place.out(0).spec().size()),
                    Size.of(THREADS),
                    averaged(place, countPadding, shapes))));
  }

  private static Launch each(
      GpuKernel kernel, Recipe.Place place, boolean countPadding, Argument shapes) {
    return KernelLaunch.each(
        kernel,
        place.out(0).spec().size(),
        averaged(place, countPadding, shapes).toArray(Argument[]::new));
  }

  private static List<Argument> averaged(
      Recipe.Place place, boolean countPadding, Argument shapes) {
    return List.of(
        place.in(0).argument(),
        place.out(0).argument(),
        new Argument.Int32(countPadding ? 1 : 0),
        shapes);
  }

  /** How the windows lie on an image: {@code struct Pooling}. */
  private static Argument shapes(Windows2d windows, Shape image) {
    int height = image.dim(2);
    int width = image.dim(3);
    List<Long> words = new ArrayList<>();
    words.add((long) image.dim(0) * image.dim(1));
    words.add((long) height);
    words.add((long) windows.outputHeight(height));
    words.add((long) windows.mostRows(height));
    words.add(strideHeight(windows));
    words.add((long) windows.padding().top());
    words.add((long) width);
    words.add((long) windows.outputWidth(width));
    words.add((long) windows.mostColumns(width));
    words.add(strideWidth(windows));
    words.add((long) windows.padding().left());
    return new Argument.Words(words);
  }

  /** 0 where windows are as large as the image asks for. */
  private static long strideHeight(Windows2d windows) {
    return switch (windows) {
      case Window2d window -> window.strideHeight();
      case AdaptiveWindow2d _ -> 0;
    };
  }

  private static long strideWidth(Windows2d windows) {
    return switch (windows) {
      case Window2d window -> window.strideWidth();
      case AdaptiveWindow2d _ -> 0;
    };
  }
}
