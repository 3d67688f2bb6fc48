package dev.halfcell.nn;

import dev.halfcell.op.elementwise.PRelu;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * y = x where x &gt; 0, else slope · x, with slopes that are trained: one, or one for each channel
 * of [N, C, ...]. They start at 0.25.
 *
 * <p>Op: {@link PRelu}. Source: He et al., "Delving Deep into Rectifiers", 2015, section 2.1.
 */
public final class PReLU extends Cell {
  private final Parameter slope;

  /** One slope for all elements. */
  public PReLU() {
    this(1);
  }

  /** A slope for each of {@code channels} channels; one of them serves any number of channels. */
  public PReLU(int channels) {
    ArgumentException.require(channels >= 1, "PReLU channels", "at least 1", channels);
    this.slope = parameter("slope", new Initializer.Constant(0.25), channels);
  }

  @Override
  protected Tensor construct(Forward f, Tensor... inputs) {
    Tensor x = f.only(inputs);
    int channels = slope.spec().dim(0);
    f.shape(
        channels == 1 || x.spec().rank() >= 2 && x.spec().dim(1) == channels,
        x,
        "[N, " + channels + ", ...]",
        "Make as many slopes as there are channels, or one.");
    Tensor slopes = f.ops().reshape(f.read(slope), behindChannels(x.shape().rank() - 2));
    return f.ops().run(new PRelu(), x, slopes);
  }

  /** The slopes with as many axes of size 1 behind them as the input has behind its channels. */
  private Shape behindChannels(int axes) {
    List<Integer> dims = new ArrayList<>(Collections.nCopies(Math.max(0, axes) + 1, 1));
    dims.set(0, slope.spec().dim(0));
    return new Shape(dims);
  }
}
