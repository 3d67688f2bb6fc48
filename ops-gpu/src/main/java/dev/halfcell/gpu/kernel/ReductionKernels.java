package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.reduction.AlongAxis;
import dev.halfcell.op.reduction.AlongAxisGradient;
import dev.halfcell.op.reduction.Extreme;
import dev.halfcell.op.reduction.ExtremeGradient;
import dev.halfcell.op.reduction.LogSumExp;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Reduction;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Sums, means, logarithmic sums and extremes over axes: {@code reduction.cu}. */
final class ReductionKernels {
  private static final String FILE = "reduction";
  private static final String PARTS = "parts";
  private static final long STATE_BYTES = 8; // the most that one takes

  private final KernelLibrary kernels;
  private final Reduction op;
  private final TensorSpec x;
  private final CellPath at;

  private ReductionKernels(KernelLibrary kernels, Reduction op, TensorSpec x, CellPath at) {
    this.kernels = kernels;
    this.op = op;
    this.x = x;
    this.at = at;
  }

  static Recipe of(KernelLibrary kernels, Reduction op, List<TensorSpec> in, CellPath at) {
    TensorSpec x = in.getFirst();
    if (!ElementwiseKernels.COMPUTED.contains(x.dtype())) {
      throw Kernels.refusal(op.label(), "one in " + x.dtype().label(), at);
    }
    ReductionKernels own = new ReductionKernels(kernels, op, x, at);
    String dtype = x.dtype().label();
    return switch (op) {
      case Sum(List<Integer> axes, boolean wide) ->
          own.recipe(new How("sum", 1, 1), axes, wide ? PARTS : dtype);
      case Mean mean ->
          own.recipe(new How("sum", 1, (float) mean.count(x.shape())), mean.axes(), dtype);
      case LogSumExp(List<Integer> axes) -> own.recipe(new How("log_sum_exp", 1, 1), axes, dtype);
      case Extreme(List<Integer> axes, boolean largest) -> {
        float sign = largest ? 1 : -1;
        yield own.recipe(new How("extreme", sign, sign), axes, dtype);
      }
      case ExtremeGradient(Shape input, List<Integer> axes) -> own.spread(input, axes);
      case AlongAxis a -> SoftmaxKernels.of(kernels, a, x.shape());
      case AlongAxisGradient a -> SoftmaxKernels.of(kernels, a, x.shape());
    };
  }

  /**
   * What elements are reduced with.
   *
   * @param kernel the name of its kernels
   * @param ofParts the scale that makes states of parts
   * @param ofResults the scale that makes results
   */
  private record How(String kernel, float ofParts, float ofResults) {
    String kernel(String from, String to) {
      return kernel + "_" + (from.equals(to) ? from : from + "_" + to);
    }
  }

  /**
   * Reduces x, or its parts and then these. A sum's state is in FP32, as is a wide result.
   *
   * @param to the dtype of the results, or that they are states
   */
  private Recipe recipe(How how, List<Integer> axes, String to) {
    ReducedAxes elements = ReducedAxes.of(x.shape(), axes).orElseThrow(this::manyAxes);
    String from = x.dtype().label();
    if (elements.parts() == 1) {
      String kernel = how.kernel(from, to);
      return Recipe.of(
          place -> {
            Argument all = place.in(0).argument();
            return List.of(run(kernel, elements, how.ofResults(), all, results(place)));
          });
    }
    String first = how.kernel(from, PARTS);
    String last = how.kernel(PARTS, to.equals(PARTS) ? DType.FP32.label() : to);
    return Recipe.of(
        List.of(STATE_BYTES * elements.made()),
        place -> {
          Argument all = place.in(0).argument();
          Argument states = new Argument.Address(place.workspaces().getFirst());
          List<Argument> toStates = List.of(states, KernelLaunch.NONE);
          return List.of(
              run(first, elements, how.ofParts(), all, toStates),
              run(last, elements.ofParts(), how.ofResults(), states, results(place)));
        });
  }

  private Launch run(
      String name, ReducedAxes axes, float scale, Argument from, List<Argument> results) {
    List<Argument> own = new ArrayList<>(List.of(from));
    own.addAll(results);
    own.add(new Argument.Float32(scale));
    return axes.launch(kernels, FILE, name, own);
  }

  /** The results, and where the positions of extremes go. */
  private static List<Argument> results(Recipe.Place place) {
    Argument positions = place.out().size() > 1 ? place.out(1).argument() : KernelLaunch.NONE;
    return List.of(place.out(0).argument(), positions);
  }

  private Recipe spread(Shape input, List<Integer> axes) {
    Argument result = along(input, axis -> !axes.contains(axis));
    Argument number = along(input, axes::contains);
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, "extreme_gradient", x.dtype()),
                    input.size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.out(0).argument(),
                    result,
                    number,
                    place.out(0).size())));
  }

  /** The number of each element of a tensor among those along the axes that count. */
  private Argument along(Shape shape, IntPredicate counts) {
    List<View.Axis> axes = new ArrayList<>();
    long stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      axes.addFirst(new View.Axis(shape.dim(axis), counts.test(axis) ? stride : 0));
      stride *= counts.test(axis) ? shape.dim(axis) : 1;
    }
    return new View(0, axes).argument().orElseThrow(this::manyAxes);
  }

  private RuntimeException manyAxes() {
    return Kernels.refusal(op.label(), "axes of " + x.shape() + " that alternate", at);
  }
}
