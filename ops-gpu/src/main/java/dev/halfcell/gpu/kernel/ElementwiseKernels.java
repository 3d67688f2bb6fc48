package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Binary;
import dev.halfcell.op.elementwise.Compare;
import dev.halfcell.op.elementwise.Comparison;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.CurveGradient;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Elementwise;
import dev.halfcell.op.elementwise.Maximum;
import dev.halfcell.op.elementwise.Minimum;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.op.elementwise.PRelu;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.ReluGradient;
import dev.halfcell.op.elementwise.Sloped;
import dev.halfcell.op.elementwise.SlopedGradient;
import dev.halfcell.op.elementwise.Sub;
import dev.halfcell.op.elementwise.Where;
import dev.halfcell.op.elementwise.WhereGradient;
import dev.halfcell.op.elementwise.ZerosLike;
import dev.halfcell.plan.Work;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Ops that compute place by place: {@code elementwise.cu}, {@code curve.cu}. */
final class ElementwiseKernels {
  private static final String FILE = "elementwise";

  /** The dtypes for which kernels are instantiated. */
  static final Set<DType> COMPUTED = Set.of(DType.FP32, DType.FP16, DType.BF16);

  private ElementwiseKernels() {}

  static Recipe of(
      KernelLibrary kernels, Elementwise op, List<TensorSpec> in, TensorSpec out, CellPath at) {
    DType dtype = computed(op, in, at);
    return switch (op) {
      case Relu _ -> dense(kernels, "relu", dtype);
      case ReluGradient _ -> dense(kernels, "relu_gradient", dtype);
      case Affine affine -> CurveKernels.affine(kernels, affine, dtype);
      case Curve curve -> CurveKernels.value(kernels, curve, dtype);
      case CurveGradient(Curve of) -> CurveKernels.gradient(kernels, of, dtype);
      case Binary binary -> viewed(kernels, name(binary), dtype, List.of(), views(op, in, out, at));
      case SlopedGradient(Sloped of, int input) ->
          viewed(
              kernels,
              name(of) + "_slope",
              dtype,
              List.of(new Argument.Int32(input)),
              views(op, in.subList(1, 3), out, at));
      case Where _ -> viewed(kernels, "where", dtype, List.of(), views(op, in, out, at));
      case WhereGradient(boolean taken) ->
          viewed(
              kernels,
              "where_gradient",
              dtype,
              List.of(new Argument.Int32(taken ? 1 : 0)),
              views(op, in.subList(1, 2), out, at));
      case Compare(Comparison comparison) ->
          viewed(kernels, "compare", dtype, List.of(number(comparison)), views(op, in, out, at));
      case ZerosLike _ -> RearrangementKernels.zeros(kernels, out);
    };
  }

  /** The work {@link Work.AddRelu}. */
  static Recipe addRelu(KernelLibrary kernels, List<TensorSpec> in, CellPath at) {
    return dense(kernels, "add_relu", computed(new Add(), in, at));
  }

  /** The work {@link Work.AddReluGradient}. */
  static Recipe addReluGradient(KernelLibrary kernels, List<TensorSpec> in, CellPath at) {
    return dense(kernels, "add_relu_gradient", computed(new Add(), in, at));
  }

  /** The dtype of what an op reads, which it refuses where there is no kernel for it. */
  static DType computed(Elementwise op, List<TensorSpec> in, CellPath at) {
    DType dtype = in.getFirst().dtype();
    if (dtype == DType.FP64) {
      throw Kernels.refusal(op.label(), "one in " + dtype.label(), at);
    }
    return dtype;
  }

  /** As kernels take it. */
  private static Argument number(Comparison comparison) {
    return new Argument.Int32(
        switch (comparison) {
          case EQUAL -> 0;
          case NOT_EQUAL -> 1;
          case LESS -> 2;
          case LESS_OR_EQUAL -> 3;
          case GREATER -> 4;
          case GREATER_OR_EQUAL -> 5;
        });
  }

  private static String name(Binary op) {
    return switch (op) {
      case Add _ -> "add";
      case Sub _ -> "sub";
      case Mul _ -> "mul";
      case Div _ -> "div";
      case Maximum _ -> "maximum";
      case Minimum _ -> "minimum";
      case PRelu _ -> "prelu";
    };
  }

  private static List<Argument> views(
      Elementwise op, List<TensorSpec> operands, TensorSpec out, CellPath at) {
    List<Argument> views = new ArrayList<>();
    for (TensorSpec operand : operands) {
      View view = View.repeated(operand.shape(), out.shape());
      views.add(view.argument().orElseThrow(() -> Kernels.tooManyAxes(op, operand, at)));
    }
    return views;
  }

  /** A kernel whose tensors are all of one shape, of which each thread takes a run. */
  private static Recipe dense(KernelLibrary kernels, String name, DType dtype) {
    return Recipe.of(
        place -> {
          List<Argument> arguments = new ArrayList<>(place.arguments());
          arguments.add(place.out(0).size());
          return List.of(
              KernelLaunch.runs(
                  kernels.kernel(FILE, name, dtype), place.out(0).spec().size(), arguments));
        });
  }

  /**
   * A kernel that takes all tensors, then how the broadcast ones are read, then further numbers.
   */
  private static Recipe viewed(
      KernelLibrary kernels,
      String name,
      DType dtype,
      List<Argument> numbers,
      List<Argument> views) {
    return Recipe.of(
        place -> {
          List<Argument> arguments = new ArrayList<>(place.arguments());
          arguments.addAll(views);
          arguments.addAll(numbers);
          arguments.add(place.out(0).size());
          return List.of(
              KernelLaunch.each(
                  kernels.kernel(FILE, name, dtype), place.out(0).spec().size(), arguments));
        });
  }
}
