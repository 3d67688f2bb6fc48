package dev.halfcell.testkit;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One way to run a cell.
 *
 * @param level how much of it is half
 * @param half which half
 * @param training whether it trains
 */
record CellTrial(Level level, DType half, boolean training) {
  /** Every level in both halves, training and in evaluation. */
  static List<CellTrial> all() {
    return Stream.of(true, false)
        .flatMap(
            training ->
                Stream.of(Level.values())
                    .flatMap(
                        level ->
                            Stream.of(DType.FP16, DType.BF16)
                                .map(half -> new CellTrial(level, half, training))))
        .toList();
  }

  /** A network of one cell, so that the cell has a name. */
  static final class Holder extends Cell {
    static final String CHILD = "under_test";
    private final Cell cell;

    Holder(Cell cell) {
      this.cell = child(CHILD, cell);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... inputs) {
      return f.call(cell, inputs);
    }
  }

  /** The numbers of the samples: as many as the first axis of any input is long. */
  static Tensor samples(TensorScope scope, List<Tensor> inputs) {
    int rows = inputs.stream().mapToInt(CellTrial::rows).max().orElse(1);
    return Argument.fixed(DType.INT64, Shape.of(rows), Fill.labels(1000))
        .tensor(scope, DType.INT64, new Generator(3));
  }

  private static int rows(Tensor x) {
    return x.spec().rank() == 0 ? 1 : x.spec().dim(0);
  }

  /** The cell's inputs. */
  static List<Tensor> inputs(CellCase each, TensorScope scope, DType dtype) {
    Generator generator = new Generator(Generator.seed());
    return each.inputs().stream().map(a -> a.tensor(scope, dtype, generator)).toList();
  }

  /** The specs of the cell's inputs. */
  static List<TensorSpec> specs(List<Argument> inputs) {
    return inputs.stream().map(a -> a.spec(DType.FP32)).toList();
  }

  /**
   * Output, what is assigned, and, where it trains, the gradients by floating inputs and
   * parameters.
   *
   * @param inputs the cell's inputs, and then the numbers of the samples
   */
  List<Tensor> describe(Cell net, Executor executor, Variables state, List<Tensor> inputs) {
    Tape tape = new Tape(executor);
    Map<Variable, Tensor> watched = new LinkedHashMap<>();
    Variables watching = new Watching(state, tape, watched);
    PrecisionPlan plan = Amp.plan(net, level, AmpOptions.defaults().half(half));
    Tensor samples = inputs.getLast();
    List<Tensor> taken = inputs.subList(0, inputs.size() - 1);
    taken.stream().filter(x -> x.dtype().floating()).forEach(tape::watchInput);
    Recording recording = new Recording(plan.over(tape), watching, net, samples, training);
    Tensor y = recording.call(net, taken.toArray(Tensor[]::new));
    List<Tensor> results = new ArrayList<>(List.of(y));
    results.addAll(recording.updates().values());
    if (training) {
      Map<Tensor, Tensor> gradients = tape.gradients(y, y);
      Stream.concat(taken.stream(), watched.values().stream())
          .filter(gradients::containsKey)
          .map(x -> Objects.requireNonNull(gradients.get(x)))
          .forEach(results::add);
    }
    return results;
  }

  private record Watching(Variables state, Tape tape, Map<Variable, Tensor> watched)
      implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return variable.kind() == Variable.Kind.PARAMETER
          ? watched.computeIfAbsent(variable, v -> tape.watch(state.read(v)))
          : state.read(variable);
    }

    @Override
    public long seed() {
      return state.seed();
    }
  }
}
