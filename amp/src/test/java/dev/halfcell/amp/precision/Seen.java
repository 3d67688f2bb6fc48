package dev.halfcell.amp.precision;

import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What ops are given under a plan, seen below its casting rules. */
final class Seen {
  private Seen() {}

  /** What a plan says of the cell at this path. */
  static Decision decision(PrecisionPlan plan, String path) {
    return Objects.requireNonNull(plan.cells().get(new CellPath(path)), path);
  }

  /** The dtypes of the first inputs of all ops of this name, for an input of [2, 4]. */
  static List<DType> by(PrecisionPlan plan, Cell net, String op) {
    return by(plan, net, op, 1);
  }

  /** The same for a network of several inputs. */
  static List<DType> by(PrecisionPlan plan, Cell net, String op, int inputs) {
    List<DType> seen = new ArrayList<>();
    Executor spy =
        (each, in, at) -> {
          if (each.label().equals(op)) {
            seen.add(in.getFirst().dtype());
          }
          return each.infer(Tensor.specs(in), at).stream().map(Tensor::symbol).toList();
        };
    try (TrainState state = TrainState.of(net, 1)) {
      Tensor samples = Tensor.symbol(TensorSpec.of(DType.INT64, 2));
      new Recording(plan.over(spy), state, net, samples, true)
          .call(
              net,
              Stream.generate(() -> Tensor.symbol(TensorSpec.of(DType.FP32, 2, 4)))
                  .limit(inputs)
                  .toArray(Tensor[]::new));
    }
    return seen;
  }

  /** x² − its sum over a column. */
  static final class Squares extends Cell {
    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      Tensor square = f.ops().mul(f.only(in), f.only(in));
      return f.ops().sub(square, f.ops().sum(square, false, 0));
    }
  }
}
