package dev.halfcell.op.reduction;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.Requirements;
import dev.halfcell.tensor.Shape;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** Ops whose results depend on all elements along axes. Sums are kept in FP32 at least. */
public sealed interface Reduction extends Op
    permits AlongAxis, AlongAxisGradient, Extreme, ExtremeGradient, LogSumExp, Mean, Sum {
  @Override
  default PrecisionClass precision() {
    return PrecisionClass.DENY;
  }

  /** The shape of the first input without {@code axes}, which have to be among its own. */
  static Shape without(Requirements must, List<Integer> axes) {
    Shape x = must.in().getFirst().shape();
    must.shape(
        axes.stream().allMatch(axis -> axis >= 0 && axis < x.rank())
            && new HashSet<>(axes).size() == axes.size(),
        "axes of the input, each once, not " + axes,
        "Axes are counted from 0.");
    return Shape.of(
        IntStream.range(0, x.rank()).filter(axis -> !axes.contains(axis)).map(x::dim).toArray());
  }
}
