package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.elementwise.Abs;
import dev.halfcell.op.elementwise.Affine;
import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.op.elementwise.Curve;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.op.elementwise.HardSwish;
import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Rsqrt;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.op.elementwise.Sqrt;
import dev.halfcell.op.elementwise.Tanh;
import dev.halfcell.tensor.DType;
import java.util.List;

/** Functions of one number and their gradients: {@code curve.cu}. */
final class CurveKernels {
  private static final String FILE = "curve";

  private CurveKernels() {}

  /**
   * What the kernels of a function are called, and the numbers that are part of it.
   *
   * @param p the first of them, 0 where there is none
   * @param q the second
   */
  private record Formula(String name, double p, double q) {
    Formula(String name) {
      this(name, 0, 0);
    }

    Argument first() {
      return new Argument.Float32((float) p);
    }

    Argument second() {
      return new Argument.Float32((float) q);
    }
  }

  private static Formula formula(Curve curve) {
    return switch (curve) {
      case Abs _ -> new Formula("abs");
      case Clip(double least, double most) -> new Formula("clip", least, most);
      case Exp _ -> new Formula("exp");
      case Gelu(boolean byTanh) -> new Formula("gelu", byTanh ? 1 : 0, 0);
      case HardSwish _ -> new Formula("hard_swish");
      case LeakyRelu(double slope) -> new Formula("leaky_relu", slope, 0);
      case Log _ -> new Formula("log");
      case Pow(double exponent) -> new Formula("pow", exponent, 0);
      case Rsqrt _ -> new Formula("rsqrt");
      case Sigmoid _ -> new Formula("sigmoid");
      case Silu _ -> new Formula("silu");
      case Sqrt _ -> new Formula("sqrt");
      case Tanh _ -> new Formula("tanh");
    };
  }

  static Recipe affine(KernelLibrary kernels, Affine op, DType dtype) {
    return value(kernels, new Formula("affine", op.multiplier(), op.addend()), dtype);
  }

  static Recipe value(KernelLibrary kernels, Curve op, DType dtype) {
    return value(kernels, formula(op), dtype);
  }

  private static Recipe value(KernelLibrary kernels, Formula formula, DType dtype) {
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, formula.name(), dtype),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.out(0).argument(),
                    formula.first(),
                    formula.second(),
                    place.out(0).size())));
  }

  static Recipe gradient(KernelLibrary kernels, Curve of, DType dtype) {
    Formula formula = formula(of);
    return Recipe.of(
        place ->
            List.of(
                KernelLaunch.each(
                    kernels.kernel(FILE, formula.name() + "_slope", dtype),
                    place.out(0).spec().size(),
                    place.in(0).argument(),
                    place.in(1).argument(),
                    place.out(0).argument(),
                    formula.first(),
                    formula.second(),
                    place.out(0).size())));
  }
}
