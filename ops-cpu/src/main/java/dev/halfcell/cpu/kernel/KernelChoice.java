package dev.halfcell.cpu.kernel;

import dev.halfcell.cpu.onednn.Isa;
import dev.halfcell.cpu.onednn.Recipes.Choice;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;

/**
 * Where the kernel that oneDNN 3.11 takes first for a convolution is slower than an older one of
 * its own, as measured on vectors (ADR 0006); in tiles its first choice stands. Shapes, the dtype
 * and the processor alone decide, so that a plan has the same bits each time.
 *
 * @param computed the dtype to compute in
 */
record KernelChoice(Isa isa, Conv2dGeometry geometry, Shape weight, DType computed) {
  private static final int FEW = 16;
  private static final int SOME = 32;
  private static final int LANES = 16;

  /**
   * For y = x * weight: the older one is faster for few channels, and in halves where windows are
   * single pixels that skip some.
   */
  Choice forward() {
    boolean few = computed.half() ? channels() <= SOME : channels() < FEW;
    boolean skips = computed.half() && strided() && single();
    return choice(few || skips);
  }

  /**
   * For the gradient by x: the first kernel is slow where windows skip pixels, and in halves a
   * little slower for few channels.
   */
  Choice inputGradient() {
    boolean some = channels() <= SOME;
    boolean skips = strided() && (some || single());
    return choice(skips || some && computed.half());
  }

  /**
   * For single pixels the older kernel computed something else in halves for some odd numbers of
   * channels; so there both numbers have to fill vectors.
   */
  private Choice choice(boolean older) {
    boolean whole = weight.dim(0) % LANES == 0 && weight.dim(1) % LANES == 0;
    boolean right = whole || !single();
    boolean vectors = !computed.half() || !isa.tiles();
    return older && right && vectors && geometry.groups() == 1 ? Choice.OLDER : Choice.FIRST;
  }

  private int channels() {
    return weight.dim(1);
  }

  private boolean strided() {
    return geometry.strideHeight() > 1 || geometry.strideWidth() > 1;
  }

  private boolean single() {
    return weight.dim(2) == 1 && weight.dim(3) == 1;
  }
}
