package dev.halfcell.amp.precision;

import dev.halfcell.op.Op;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.precision.CastOverflow;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.train.ParameterStorage;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * How a plan computes what it computes; it does not change which cell is half. Each method gives a
 * changed copy.
 *
 * <p>Source: Graphcore, set_floating_point_behaviour_options (esr, nanoo); Apex, amp.initialize
 * with O3, for parameters in half.
 *
 * @param castOverflow what a cast to half makes of a number that is too large for it
 * @param stochasticRounding whether casts to half in training, and parameters that are kept in
 *     half, are rounded by chance
 * @param halfParameters whether parameters are kept in half, with no FP32 master
 * @param acceptSwamping whether an update of less than half a place may be lost
 * @param stableStatistics whether every batch normalisation takes the mean first and the variance
 *     in a second pass, as if its cell said so
 * @param partials what running sums of products of half are kept in
 */
public record Numerics(
    CastOverflow castOverflow,
    boolean stochasticRounding,
    boolean halfParameters,
    boolean acceptSwamping,
    boolean stableStatistics,
    Partials partials) {
  /**
   * What is too large becomes an infinity; all is rounded to nearest; parameters are FP32; batch
   * statistics are as each cell says; sums are FP32.
   */
  public static Numerics defaults() {
    return new Numerics(CastOverflow.INF, false, false, false, false, Partials.full());
  }

  /** With casts that make this of what is too large. */
  public Numerics castOverflow(CastOverflow mode) {
    return new Numerics(
        mode, stochasticRounding, halfParameters, acceptSwamping, stableStatistics, partials);
  }

  /** With rounding by chance, or to nearest. */
  public Numerics stochasticRounding(boolean byChance) {
    return new Numerics(
        castOverflow, byChance, halfParameters, acceptSwamping, stableStatistics, partials);
  }

  /** With parameters kept in half, or in FP32. */
  public Numerics halfParameters(boolean half) {
    return new Numerics(
        castOverflow, stochasticRounding, half, acceptSwamping, stableStatistics, partials);
  }

  /** With updates that may be lost, or not. */
  public Numerics acceptSwamping(boolean accept) {
    return new Numerics(
        castOverflow, stochasticRounding, halfParameters, accept, stableStatistics, partials);
  }

  /** With batch statistics in two passes, or as each cell says. */
  public Numerics stableStatistics(boolean stable) {
    return new Numerics(
        castOverflow, stochasticRounding, halfParameters, acceptSwamping, stable, partials);
  }

  /** The op that computes what {@code op} says as this demands. */
  Op of(Op op) {
    return stableStatistics && op instanceof BatchNorm norm ? norm.stableStatistics() : op;
  }

  /** With changed partials. */
  public Numerics partials(UnaryOperator<Partials> change) {
    return new Numerics(
        castOverflow,
        stochasticRounding,
        halfParameters,
        acceptSwamping,
        stableStatistics,
        change.apply(partials));
  }

  /** What differs from the defaults, a line each. */
  List<String> unusual() {
    Stream<Optional<String>> switches =
        Stream.of(
            line(castOverflow != CastOverflow.INF, "casts to half overflow to " + castOverflow),
            line(stochasticRounding, "rounding to half is stochastic"),
            line(halfParameters, "parameters are kept in half, without fp32 masters"),
            line(stableStatistics, "batch statistics take the mean first, in two passes"));
    return Stream.concat(switches.flatMap(Optional::stream), partials.lines()).toList();
  }

  private static Optional<String> line(boolean holds, String text) {
    return holds ? Optional.of(text) : Optional.empty();
  }

  /**
   * How parameters are to be kept; none where nothing is said of it.
   *
   * @throws ArgumentException where what is said contradicts itself
   */
  public Optional<ParameterStorage> storage(DType half) {
    ArgumentException.require(
        !acceptSwamping || halfParameters && !stochasticRounding,
        "acceptSwamping",
        "halfParameters(true) and rounding to nearest, without which nothing is swamped",
        "halfParameters(%s), stochasticRounding(%s)".formatted(halfParameters, stochasticRounding));
    if (!halfParameters) {
      return Optional.empty();
    }
    ArgumentException.require(
        stochasticRounding || acceptSwamping,
        "halfParameters",
        "stochasticRounding(true), or acceptSwamping(true): rounded to nearest, an update of less"
            + " than half a place of its parameter is lost, every time",
        "neither");
    return Optional.of(new ParameterStorage(half, stochasticRounding));
  }
}
