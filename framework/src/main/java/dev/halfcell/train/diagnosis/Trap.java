package dev.halfcell.train.diagnosis;

import dev.halfcell.op.Op;
import dev.halfcell.op.elementwise.CurveGradient;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Pow;
import dev.halfcell.op.elementwise.Rsqrt;
import dev.halfcell.op.elementwise.SlopedGradient;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A floating-point exception that can stop training, under the name of its bit in the register of
 * Graphcore's IPU.
 *
 * <p>Source: Graphcore, "Targeting the IPU from TensorFlow 1", floating_point_behaviour: inv, div0,
 * oflo; IEEE 754-2019, section 7.
 */
public enum Trap {
  /** Finite values gave an infinity. */
  OFLO("a result that fits its dtype"),
  /** No NaN gave a NaN. */
  INV("a result that is a number"),
  /** A division, logarithm, reciprocal root or negative power of 0 gave an infinity. */
  DIV0("no division by 0");

  private final String expected;

  Trap(String expected) {
    this.expected = expected;
  }

  String expected() {
    return expected;
  }

  /**
   * What an op that took {@code in} and gave {@code out} raises. All infinities of one that divides
   * by a tensor with a 0 count as divisions by 0.
   */
  public static Set<Trap> raised(Op op, List<Tensor> in, List<Tensor> out) {
    Census.Kind given = Census.worst(in);
    Set<Trap> raised = EnumSet.noneOf(Trap.class);
    for (Tensor result : out) {
      Census census = Census.of(result);
      if (census.nans() > 0 && given != Census.Kind.NAN) {
        raised.add(INV);
      }
      if (census.infinities() > 0 && given == Census.Kind.FINITE) {
        raised.add(divisor(op, in).filter(Trap::hasZero).isPresent() ? DIV0 : OFLO);
      }
    }
    return raised;
  }

  /** What an op divides by; none where it does not divide. */
  private static Optional<Tensor> divisor(Op op, List<Tensor> in) {
    return switch (op) {
      case Div _ -> Optional.of(in.get(1));
      case Log _, Rsqrt _ -> Optional.of(in.getFirst());
      case Pow(double exponent) when exponent < 0 -> Optional.of(in.getFirst());
      case SlopedGradient(Div _, int _) -> Optional.of(in.get(2));
      case CurveGradient(Log _) -> Optional.of(in.get(1));
      case CurveGradient(Pow(double exponent)) when exponent < 1 -> Optional.of(in.get(1));
      default -> Optional.empty();
    };
  }

  private static boolean hasZero(Tensor divisor) {
    for (long i = 0; i < divisor.spec().size(); i++) {
      if (Elements.get(divisor.data(), divisor.dtype(), i) == 0) {
        return true;
      }
    }
    return false;
  }
}
