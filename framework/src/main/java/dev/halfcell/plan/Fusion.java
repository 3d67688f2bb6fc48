package dev.halfcell.plan;

import java.util.List;

/** The rewrites of a program, in the order in which each finds most. */
public final class Fusion {
  private static final List<Rewrite> SIMPLIFYING =
      List.of(new DropIdentities(), new ShareCommon(), new DropDead());

  private static final List<Rewrite> FUSING =
      List.of(
          new FuseNormalizationCasts(),
          new DropDead(),
          new MaskBelowPooling(),
          new FuseReluMaxPool(),
          new FuseRelu(),
          new FuseBatchNormRelu(),
          new FuseAddRelu(),
          new FuseParameterGradients(),
          new FuseSoftmaxCrossEntropy(),
          new FuseUpdate(),
          new WidenAgain(),
          new DropDead());

  private static final List<Rewrite> FUSING_RELU =
      List.of(
          new FuseNormalizationCasts(),
          new DropDead(),
          new FuseRelu(),
          new FuseBatchNormRelu(),
          new FuseAddRelu(),
          new DropDead());

  private Fusion() {}

  /** The same bits with fewer tasks: for plans that must equal eager execution. */
  public static Program simplify(Program program) {
    return apply(SIMPLIFYING, program);
  }

  /**
   * The end of the step in one task, if it is as {@link UpdateAll} has it: the same bits where its
   * kernel leaves out no rounding.
   */
  public static Program update(Program program) {
    return new FuseUpdate().apply(program);
  }

  /** Small ops of one kind in one task each, {@link Work.Together}: the same bits. */
  public static Program gather(Program program) {
    return new GatherAlike().apply(program);
  }

  /** {@link #simplify}, then the fusions, each of which says what roundings it leaves out. */
  public static Program fuse(Program program) {
    return apply(FUSING, simplify(program));
  }

  /**
   * {@link #simplify}, then those fusions alone that take a ReLU into what it ends: for backends
   * that have kernels for {@link Work.ConvolutionRelu}, {@link Work.DenseRelu}, {@link
   * Work.AddRelu}, {@link Work.BatchNormRelu} and the gradients of the last two, and for single
   * ops.
   */
  public static Program fuseRelu(Program program) {
    return apply(FUSING_RELU, simplify(program));
  }

  /**
   * Reshapes as views, as {@link ShareStorage} does it: comes last, and is right where every slot
   * is dense and row by row.
   */
  public static Program shareStorage(Program program) {
    return new ShareStorage((_, _) -> true).apply(program);
  }

  private static Program apply(List<Rewrite> rewrites, Program program) {
    Program rewritten = program;
    for (Rewrite rewrite : rewrites) {
      rewritten = rewrite.apply(rewritten);
    }
    return rewritten;
  }
}
