package dev.halfcell.amp;

import dev.halfcell.amp.diagnosis.Demotion;
import dev.halfcell.amp.diagnosis.Diagnosis;
import dev.halfcell.amp.precision.ParameterGetter;
import dev.halfcell.amp.precision.PrecisionLists;
import dev.halfcell.amp.precision.PrecisionOptions;
import dev.halfcell.amp.scale.LossScaleManager;
import dev.halfcell.amp.scale.ScaleSource;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.nn.Cell;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.DType;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Execution;
import dev.halfcell.train.OverflowPolicy;
import dev.halfcell.train.StepRules;
import dev.halfcell.train.TrainState;
import java.util.function.UnaryOperator;

/**
 * What can be said beside the level. Each method gives a changed copy; those named like a part's
 * change that part.
 *
 * @param precision what the precision plan is made from
 * @param step when and with what a step is applied
 * @param run what it runs on
 */
public record AmpOptions(PrecisionOptions precision, StepOptions step, RunOptions run) {
  /** Everything as the level has it: FP16, a new state of seed 1, compiled. */
  public static AmpOptions defaults() {
    return new AmpOptions(
        PrecisionOptions.defaults(), StepOptions.defaults(), RunOptions.defaults());
  }

  /** With other precision options. */
  public AmpOptions precision(UnaryOperator<PrecisionOptions> change) {
    return new AmpOptions(change.apply(precision), step, run);
  }

  /** With other options of the step. */
  public AmpOptions step(UnaryOperator<StepOptions> change) {
    return new AmpOptions(precision, change.apply(step), run);
  }

  /** With other options of the run. */
  public AmpOptions run(UnaryOperator<RunOptions> change) {
    return new AmpOptions(precision, step, change.apply(run));
  }

  /** With this 16-bit dtype. */
  public AmpOptions half(DType dtype) {
    return precision(options -> options.half(dtype));
  }

  /** With normalisation cells on FP32 data, or on half. */
  public AmpOptions keepBatchNormFp32(boolean keep) {
    return precision(options -> options.keepBatchNormFp32(keep));
  }

  /** With casts to half that make this of what is too large. */
  public AmpOptions castOverflow(CastOverflow mode) {
    return precision(options -> options.castOverflow(mode));
  }

  /** With a network that computes in this dtype, whatever the level. */
  public AmpOptions castModelType(DType dtype) {
    return precision(options -> options.castModelType(dtype));
  }

  /** With changed lists of cells, ops and paths: {@code lists(l -> l.deny("/encoder/**"))}. */
  public AmpOptions lists(UnaryOperator<PrecisionLists> change) {
    return precision(options -> options.lists(change));
  }

  /** With a part of the network in this dtype, as if it had been flagged. */
  public AmpOptions part(String name, DType dtype) {
    return precision(options -> options.part(name, dtype));
  }

  /** With cells that see of their parameters what this hands out. */
  public AmpOptions getter(ParameterGetter hook) {
    return precision(options -> options.getter(hook));
  }

  /** With casts to half, and what is kept in half, rounded by chance or to nearest. */
  public AmpOptions stochasticRounding(boolean byChance) {
    return precision(options -> options.stochasticRounding(byChance));
  }

  /**
   * With parameters kept in half, without FP32 masters, or in FP32. Wants {@link
   * #stochasticRounding} or {@link #acceptSwamping}.
   */
  public AmpOptions halfParameters(boolean inHalf) {
    return precision(options -> options.halfParameters(inHalf));
  }

  /** With updates of parameters in half that may be lost in rounding to nearest, or not. */
  public AmpOptions acceptSwamping(boolean accept) {
    return precision(options -> options.acceptSwamping(accept));
  }

  /**
   * With batch normalisations that all take the mean first and the variance in a second pass, or as
   * each cell says.
   */
  public AmpOptions stableStatistics(boolean stable) {
    return precision(options -> options.stableStatistics(stable));
  }

  /** With running sums of products of half in this dtype, on a backend that offers that. */
  public AmpOptions partials(DType dtype) {
    return precision(options -> options.partials(dtype));
  }

  /** The same in the cells at these paths, and all below them. */
  public AmpOptions partials(String paths, DType dtype) {
    return precision(options -> options.partials(paths, dtype));
  }

  /** The same in the cells of this class, and all below them. */
  public AmpOptions partials(Class<? extends Cell> cells, DType dtype) {
    return precision(options -> options.partials(cells, dtype));
  }

  /**
   * With this loss scale. On a state that has one already, a rule that moves goes on from there;
   * one that never moves counts for its own steps, and leaves there what it finds.
   */
  public AmpOptions lossScale(LossScale rule) {
    return step(options -> options.lossScale(rule));
  }

  /** With the loss scale that one of MindSpore's classes says. */
  public AmpOptions lossScale(ScaleSource source) {
    return lossScale(source.rule());
  }

  /** The same under MindSpore's name. */
  public AmpOptions lossScaleManager(LossScaleManager manager) {
    return lossScale(manager);
  }

  /** With so many micro-batches to a step; one that is not finite costs the step. */
  public AmpOptions accumulation(int microBatches) {
    return accumulation(Accumulation.of(microBatches));
  }

  /** With several micro-batches to a step. */
  public AmpOptions accumulation(Accumulation window) {
    return step(options -> options.accumulation(window));
  }

  /** With this policy for a batch whose step is refused. */
  public AmpOptions overflowPolicy(OverflowPolicy policy) {
    return rules(rules -> rules.overflow(policy));
  }

  /** With a moving average of each trained parameter, of which a step keeps this share. */
  public AmpOptions ema(double decay) {
    return rules(rules -> rules.ema(decay));
  }

  /** With counters and a loss scale of its own under this name, beside others on the state. */
  public AmpOptions name(String own) {
    return rules(rules -> rules.name(own));
  }

  /**
   * With a loss scale that all train cells on the state share that say this name. While one of them
   * has micro-batches that wait for their step, the others take none.
   */
  public AmpOptions scaleName(String shared) {
    return rules(rules -> rules.scaleName(shared));
  }

  /** With other rules of when a step counts as refused, and what follows. */
  public AmpOptions rules(UnaryOperator<StepRules> change) {
    return step(options -> options.rules(change));
  }

  /** With this seed. */
  public AmpOptions seed(long number) {
    return run(options -> options.seed(number));
  }

  /** On this backend, which stays the caller's to close. */
  public AmpOptions backend(Backend computes) {
    return run(options -> options.backend(computes));
  }

  /** On these values, which stay the caller's to close. */
  public AmpOptions state(TrainState values) {
    return run(options -> options.state(values));
  }

  /** Run this way. */
  public AmpOptions execution(Execution way) {
    return run(options -> options.execution(way));
  }

  /** Watched this way. */
  public AmpOptions diagnosis(Diagnosis watched) {
    return run(options -> options.diagnosis(watched));
  }

  /** With cells moved to FP32 that were first offenders so often in so many seen steps. */
  public AmpOptions demotion(int after, int within) {
    Demotion rule = new Demotion(after, within);
    return run(options -> options.diagnosis(options.diagnosis().demoting(rule)));
  }

  /**
   * As one rank of several: gradients are the mean over all, and the states of all stay the same
   * bits.
   */
  public AmpOptions collective(Collective ranks) {
    return run(options -> options.collective(ranks));
  }
}
