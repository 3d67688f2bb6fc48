package dev.halfcell.op.pooling;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;

/** Pooling over windows of an image, and its gradients. */
public sealed interface Pooling extends Op
    permits AvgPool2d, AvgPool2dGradient, MaxPool2d, MaxPool2dGradient {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.INFER;
  }

  /** The shape of the pooled image. */
  static Shape pooled(Op op, Windows2d windows, List<TensorSpec> in, Shape image, CellPath at) {
    Requirements must = new Requirements(op, in, at).floating(0).rank(0, 4, "[N, C, H, W]");
    must.shape(
        windows.padding().countableAround(image.dim(2), image.dim(3)),
        "a padded image of at most " + Integer.MAX_VALUE + " rows and columns",
        "Take less padding.");
    int height = windows.outputHeight(image.dim(2));
    int width = windows.outputWidth(image.dim(3));
    must.shape(
        height >= 1 && width >= 1,
        "an image as large as a window (" + windows + ")",
        "Take a smaller window, or pool less before.");
    return must.sized(image.dim(0), image.dim(1), height, width);
  }
}
