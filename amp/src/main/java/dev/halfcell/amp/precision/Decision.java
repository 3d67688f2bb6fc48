package dev.halfcell.amp.precision;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * How one cell computes, and why.
 *
 * @param cell the cell's class, for reports
 * @param half the 16-bit dtype where the treatment has one
 * @param stored the dtype of the cell's own parameters in the state; none where it has none
 * @param partials what running sums of products of half are kept in
 * @param options what it was decided by; what they say of single ops, of numerics and of parameters
 *     holds in the cell
 */
public record Decision(
    String cell,
    Treatment treatment,
    DType half,
    Reason because,
    Optional<DType> stored,
    DType partials,
    PrecisionOptions options) {

  /** The same cell in FP32. */
  Decision full(Reason reason) {
    return new Decision(cell, Treatment.FULL, half, reason, stored, partials, options);
  }

  /** The same cell with running sums of products of half in this dtype. */
  Decision summingIn(DType dtype) {
    return new Decision(cell, treatment, half, because, stored, dtype, options);
  }

  /** The dtype that the cell computes in, as {@code explain} prints it. */
  public String computes() {
    return switch (treatment) {
      case FULL, FULL_THEN_HALF -> DType.FP32.label();
      case PER_OP -> "per op";
      case WIDEST -> "widest";
      case HALF, HALF_LOSS, HALF_THROUGHOUT -> half.label();
    };
  }

  /** The dtype that the cell's output leaves in, as {@code explain} prints it. */
  public String leaves() {
    return switch (treatment) {
      case FULL_THEN_HALF -> half.label();
      case HALF_LOSS -> DType.FP32.label();
      case FULL, PER_OP, WIDEST, HALF, HALF_THROUGHOUT -> computes();
    };
  }

  /** What {@code explain} and comparisons add of partials; nothing in FP32. */
  Optional<String> partialsTold() {
    boolean full = treatment == Treatment.FULL || treatment == Treatment.FULL_THEN_HALF;
    return Optional.of(partials)
        .filter(dtype -> dtype.half() && !full)
        .map(dtype -> dtype.label() + " partials");
  }

  /** Whether the cell's own ops run in half. */
  public boolean inHalf() {
    return switch (treatment) {
      case HALF, HALF_LOSS, HALF_THROUGHOUT -> true;
      case FULL, FULL_THEN_HALF, PER_OP, WIDEST -> false;
    };
  }

  /**
   * The dtype that an op in this cell takes its castable floating inputs in; none where it takes
   * them as they are.
   */
  Optional<DType> takes(Op op, List<Tensor> in) {
    if (op.precision() == PrecisionClass.KEEP) {
      return Optional.empty();
    }
    return Optional.of(
        options
            .lists()
            .of(op)
            .filter(because::yieldsTo)
            .map(hit -> perOp(hit.list(), in))
            .orElseGet(() -> byTreatment(op, in)));
  }

  private DType byTreatment(Op op, List<Tensor> in) {
    PrecisionClass asks = op.precision();
    if (asks == PrecisionClass.FULL) {
      return treatment == Treatment.HALF_LOSS && op instanceof Loss ? half : DType.FP32;
    }
    return switch (treatment) {
      case FULL, FULL_THEN_HALF -> DType.FP32;
      case HALF, HALF_LOSS -> asks == PrecisionClass.DENY ? DType.FP32 : half;
      case HALF_THROUGHOUT -> half;
      case PER_OP -> perOp(asks, in);
      case WIDEST -> asks == PrecisionClass.DENY ? DType.FP32 : widest(in);
    };
  }

  private DType perOp(PrecisionClass asks, List<Tensor> in) {
    return switch (asks) {
      case ALLOW -> half;
      case INFER -> widest(in);
      case DENY, FULL, KEEP -> DType.FP32;
    };
  }

  /**
   * FP32 where an input is FP32 or two inputs are of different halves; of no floating input at all,
   * half.
   */
  private DType widest(List<Tensor> in) {
    List<DType> floating =
        in.stream().map(Tensor::dtype).filter(DType::floating).distinct().toList();
    return switch (floating.size()) {
      case 0 -> half;
      case 1 -> floating.getFirst();
      default -> DType.FP32;
    };
  }
}
