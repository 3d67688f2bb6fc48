package dev.halfcell.amp.precision;

import dev.halfcell.nn.Cell;
import dev.halfcell.op.PathPattern;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What can be said about precision beside the level: all that a {@link PrecisionPlan} is made from.
 * Each method gives a changed copy; two that contradict each other are an error.
 *
 * <p>Source: the keywords of MindSpore's amp.build_train_network, keep_batchnorm_fp32 and
 * cast_model_type.
 *
 * @param halfAsked the 16-bit dtype that was asked for
 * @param keepBatchNormFp32 whether normalisation cells compute on FP32 data; none given means the
 *     level's own
 * @param castModelType what the network computes in, where the level's own is not wanted
 * @param lists what is said of cells, ops and paths
 * @param parts what is said of parts of the network
 * @param numerics how it is computed in half
 * @param getter what cells see of their parameters, where that is not the value
 */
public record PrecisionOptions(
    Optional<DType> halfAsked,
    Optional<Boolean> keepBatchNormFp32,
    Optional<DType> castModelType,
    PrecisionLists lists,
    Parts parts,
    Numerics numerics,
    Optional<ParameterGetter> getter) {
  public PrecisionOptions {
    halfAsked.ifPresent(
        half -> ArgumentException.require(half.half(), "half", "fp16 or bf16", half.label()));
    castModelType.ifPresent(type -> requireFits(type, halfAsked, keepBatchNormFp32));
  }

  private static void requireFits(
      DType type, Optional<DType> half, Optional<Boolean> keepBatchNormFp32) {
    ArgumentException.require(
        type == DType.FP32 || type.half(), "castModelType", "fp32, fp16 or bf16", type.label());
    if (type.half() && half.isPresent() && half.get() != type) {
      throw contradiction(
          "the dtype of half(" + half.get().label() + ")", type, "Ask for one of them alone.");
    }
    if (type == DType.FP32 && keepBatchNormFp32.isPresent() && !keepBatchNormFp32.get()) {
      throw contradiction(
          "half, as keepBatchNormFp32(false) puts normalisations on half data",
          type,
          "In a network of fp32 there is no half data: leave keepBatchNormFp32 out.");
    }
  }

  private static ArgumentException contradiction(String expected, DType got, String fix) {
    return new ArgumentException(new Problem("castModelType", "", expected, got.label(), fix));
  }

  /** FP16, and everything else as the level has it. */
  public static PrecisionOptions defaults() {
    return new PrecisionOptions(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        PrecisionLists.none(),
        Parts.none(),
        Numerics.defaults(),
        Optional.empty());
  }

  /** The 16-bit dtype: FP16 unless BF16 is asked for. */
  public DType half() {
    return halfAsked.or(() -> castModelType.filter(DType::half)).orElse(DType.FP16);
  }

  /** What parameters are kept in. */
  DType stored() {
    return numerics.halfParameters() ? half() : DType.FP32;
  }

  /** With this 16-bit dtype. */
  public PrecisionOptions half(DType dtype) {
    return new PrecisionOptions(
        Optional.of(dtype), keepBatchNormFp32, castModelType, lists, parts, numerics, getter);
  }

  /** With normalisation cells on FP32 data, or on half. */
  public PrecisionOptions keepBatchNormFp32(boolean keep) {
    return new PrecisionOptions(
        halfAsked, Optional.of(keep), castModelType, lists, parts, numerics, getter);
  }

  /**
   * With a network that computes in this dtype, whatever the level: FP32 casts nothing but what
   * flags, parts and lists ask for; of half, O2 and O3 are what they are, and O0, O1 and auto
   * become O3, or O2 where normalisations are kept in FP32. The loss scale stays the level's.
   */
  public PrecisionOptions castModelType(DType dtype) {
    return new PrecisionOptions(
        halfAsked, keepBatchNormFp32, Optional.of(dtype), lists, parts, numerics, getter);
  }

  /** With these lists. */
  public PrecisionOptions lists(PrecisionLists own) {
    return new PrecisionOptions(
        halfAsked, keepBatchNormFp32, castModelType, own, parts, numerics, getter);
  }

  /** With changed lists: {@code lists(l -> l.deny("/encoder/**"))}. */
  public PrecisionOptions lists(UnaryOperator<PrecisionLists> change) {
    return lists(change.apply(lists));
  }

  /**
   * With a part of the network in this dtype, as if it had been flagged: {@code part("encoder",
   * FP16)}. Of parts inside each other the innermost counts.
   */
  public PrecisionOptions part(String name, DType dtype) {
    return new PrecisionOptions(
        halfAsked,
        keepBatchNormFp32,
        castModelType,
        lists,
        parts.with(name, dtype),
        numerics,
        getter);
  }

  /** With other numerics. */
  public PrecisionOptions numerics(UnaryOperator<Numerics> change) {
    return new PrecisionOptions(
        halfAsked, keepBatchNormFp32, castModelType, lists, parts, change.apply(numerics), getter);
  }

  /** With casts to half that make this of what is too large. */
  public PrecisionOptions castOverflow(CastOverflow mode) {
    return numerics(n -> n.castOverflow(mode));
  }

  /** With cells that see of their parameters what this hands out. */
  public PrecisionOptions getter(ParameterGetter hook) {
    return new PrecisionOptions(
        halfAsked, keepBatchNormFp32, castModelType, lists, parts, numerics, Optional.of(hook));
  }

  /** With casts to half, and what is kept in half, rounded by chance or to nearest. */
  public PrecisionOptions stochasticRounding(boolean byChance) {
    return numerics(n -> n.stochasticRounding(byChance));
  }

  /** With parameters kept in half, or in FP32. */
  public PrecisionOptions halfParameters(boolean inHalf) {
    return numerics(n -> n.halfParameters(inHalf));
  }

  /** With updates of parameters in half that may be lost, or not. */
  public PrecisionOptions acceptSwamping(boolean accept) {
    return numerics(n -> n.acceptSwamping(accept));
  }

  /** With batch statistics in two passes, or as each cell says. */
  public PrecisionOptions stableStatistics(boolean stable) {
    return numerics(n -> n.stableStatistics(stable));
  }

  /** With running sums of products of half in this dtype: FP32, FP16 or BF16. */
  public PrecisionOptions partials(DType dtype) {
    return numerics(n -> n.partials(p -> p.everywhere(dtype)));
  }

  /** The same in the cells at these paths, and all below them. */
  public PrecisionOptions partials(String paths, DType dtype) {
    Selector meant = new Selector.Paths(new PathPattern(paths));
    return numerics(n -> n.partials(p -> p.with(meant, dtype)));
  }

  /** The same in the cells of this class, and all below them. */
  public PrecisionOptions partials(Class<? extends Cell> cells, DType dtype) {
    return numerics(n -> n.partials(p -> p.with(new Selector.Cells(cells), dtype)));
  }
}
