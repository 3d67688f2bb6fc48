package dev.halfcell.testkit;

import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.Op;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Checks the gradients of one's own op or cell against central differences in FP64, in one line:
 *
 * <pre>{@code
 * GradientChecks.check(MY_HOST_FUNCTION, 2, 3);
 * GradientChecks.check(new MyCell(3, 5), 2, 3);
 * }</pre>
 *
 * <p>Inputs are normally distributed, drawn from the seed of the run ({@code
 * -Dhalfcell.testkit.seed=N}). A check throws an AssertionError that names input and element.
 */
public final class GradientChecks {
  private GradientChecks() {}

  /** Checks an op of one input of this shape, by that input. */
  public static void check(Op op, int... shape) {
    check(op, Shape.of(shape));
  }

  /** Checks an op by all of its inputs, which have these shapes. */
  public static void check(Op op, Shape... shapes) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> in = inputs(scope, shapes);
      CentralDifferences.check(
          (ops, values) -> ops.run(op, values.toArray(Tensor[]::new)), in, in.size());
    }
  }

  /** Checks a cell of one input of this shape, by that input and by all its parameters. */
  public static void check(Cell cell, int... shape) {
    check(cell, Shape.of(shape));
  }

  /** Checks a cell while it trains, by all its inputs, of these shapes, and all its parameters. */
  public static void check(Cell cell, Shape... shapes) {
    try (TensorScope scope = TensorScope.open()) {
      check(cell, scope, inputs(scope, shapes), List.of());
    }
  }

  /**
   * Checks a cell by its leading inputs, which are in FP64, and all its parameters; {@code further}
   * inputs follow, such as masks, which have no gradient.
   */
  public static void check(
      Cell cell, TensorScope scope, List<Tensor> leading, List<Tensor> further) {
    Map<Variable, Tensor> start = start(cell, scope);
    List<Variable> trainable =
        cell.paths().entrySet().stream()
            .flatMap(
                entry ->
                    entry.getKey().parameters().stream()
                        .filter(Parameter::trainable)
                        .map(parameter -> parameter.in(entry.getValue())))
            .toList();
    List<Tensor> moved = new ArrayList<>(leading);
    trainable.forEach(variable -> moved.add(start.get(variable)));
    Tensor samples = samples(scope, leading.getFirst().spec().dim(0));
    CentralDifferences.check(
        (ops, values) -> {
          Map<Variable, Tensor> now = new LinkedHashMap<>(start);
          for (int i = 0; i < trainable.size(); i++) {
            now.put(trainable.get(i), values.get(leading.size() + i));
          }
          List<Tensor> in = new ArrayList<>(values.subList(0, leading.size()));
          in.addAll(further);
          return new Recording(ops.executor(), new Values(now), cell, samples, true)
              .call(cell, in.toArray(Tensor[]::new));
        },
        moved,
        moved.size());
  }

  /** All values of a cell as they start, in FP64. */
  private static Map<Variable, Tensor> start(Cell cell, TensorScope scope) {
    Map<Variable, Tensor> start = new LinkedHashMap<>();
    try (TrainState state = TrainState.of(cell, Generator.seed())) {
      state
          .values()
          .forEach(
              (variable, value) ->
                  start.put(
                      variable, Tensor.of(scope, value.spec().as(DType.FP64), value.toArray())));
    }
    return start;
  }

  private static List<Tensor> inputs(TensorScope scope, Shape... shapes) {
    Generator generator = new Generator(Generator.seed());
    List<Tensor> in = new ArrayList<>();
    for (Shape shape : shapes) {
      in.add(Argument.data(shape, Fill.normals()).tensor(scope, DType.FP64, generator));
    }
    return in;
  }

  private static Tensor samples(TensorScope scope, int count) {
    double[] numbers = IntStream.range(0, count).asDoubleStream().toArray();
    return Tensor.of(scope, TensorSpec.of(DType.INT64, count), numbers);
  }

  /** The values of the moment. */
  private record Values(Map<Variable, Tensor> values) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      return Optional.ofNullable(values.get(variable)).orElseThrow();
    }

    @Override
    public long seed() {
      return Generator.seed();
    }
  }
}
