package dev.halfcell.amp;

import dev.halfcell.backend.Backend;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Execution;
import dev.halfcell.train.TrainState;
import java.util.Optional;

/**
 * What can be said beside the level. Each method gives a changed copy.
 *
 * @param half the 16-bit dtype: FP16 unless BF16 is asked for
 * @param lossScale the rule of the loss scale; none given means the level's own
 * @param keepBatchNormFp32 whether normalisation cells compute on FP32 data; none given means the
 *     level's own
 * @param seed what all random numbers of a new state follow from
 * @param backend what computes; none given means the most preferred one on the class path
 * @param state the values to train; none given means a new state
 * @param execution how steps are run
 * @param accumulation how many batches make a step
 */
public record AmpOptions(
    DType half,
    Optional<LossScale> lossScale,
    Optional<Boolean> keepBatchNormFp32,
    long seed,
    Optional<Backend> backend,
    Optional<TrainState> state,
    Execution execution,
    Accumulation accumulation) {
  public AmpOptions {
    ArgumentException.require(half.half(), "half", "fp16 or bf16", half.label());
  }

  /** FP16, and everything else as the level has it; seed 1; a new state; compiled. */
  public static AmpOptions defaults() {
    return new AmpOptions(
        DType.FP16,
        Optional.empty(),
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.empty(),
        Execution.planned(),
        Accumulation.none());
  }

  /** With this 16-bit dtype. */
  public AmpOptions half(DType dtype) {
    return new AmpOptions(
        dtype, lossScale, keepBatchNormFp32, seed, backend, state, execution, accumulation);
  }

  /** With this loss scale. */
  public AmpOptions lossScale(LossScale rule) {
    return new AmpOptions(
        half, Optional.of(rule), keepBatchNormFp32, seed, backend, state, execution, accumulation);
  }

  /** With normalisation cells on FP32 data, or on half. */
  public AmpOptions keepBatchNormFp32(boolean keep) {
    return new AmpOptions(
        half, lossScale, Optional.of(keep), seed, backend, state, execution, accumulation);
  }

  /** With this seed. */
  public AmpOptions seed(long number) {
    return new AmpOptions(
        half, lossScale, keepBatchNormFp32, number, backend, state, execution, accumulation);
  }

  /** On this backend, which stays the caller's to close. */
  public AmpOptions backend(Backend computes) {
    return new AmpOptions(
        half,
        lossScale,
        keepBatchNormFp32,
        seed,
        Optional.of(computes),
        state,
        execution,
        accumulation);
  }

  /** On these values, which stay the caller's to close. */
  public AmpOptions state(TrainState values) {
    return new AmpOptions(
        half,
        lossScale,
        keepBatchNormFp32,
        seed,
        backend,
        Optional.of(values),
        execution,
        accumulation);
  }

  /** Run this way. */
  public AmpOptions execution(Execution way) {
    return new AmpOptions(
        half, lossScale, keepBatchNormFp32, seed, backend, state, way, accumulation);
  }

  /** With so many micro-batches to a step; one that is not finite costs the step. */
  public AmpOptions accumulation(int microBatches) {
    return accumulation(Accumulation.of(microBatches));
  }

  /** With several micro-batches to a step. */
  public AmpOptions accumulation(Accumulation window) {
    return new AmpOptions(
        half, lossScale, keepBatchNormFp32, seed, backend, state, execution, window);
  }
}
