package dev.halfcell.train;

import dev.halfcell.backend.ThreadGuard;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Named;
import dev.halfcell.nn.Parameter;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.random.RandomKey;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongToDoubleFunction;

/**
 * All values of a training run, and nothing else has any: parameters, statistics, optimizer slots,
 * the loss scale and the counters. It is what a checkpoint holds, and what plans bind to. Used by
 * one thread at a time.
 */
public final class TrainState implements Variables, AutoCloseable {
  private final long seed;
  private final ParameterStorage storage;
  private final boolean promised;
  private final TensorScope scope = TensorScope.open();
  private final ThreadGuard stepping =
      new ThreadGuard("TrainState", "Take one step at a time on it, and assign between steps.");
  private final Map<Variable, Tensor> values = new LinkedHashMap<>();
  private final List<LoopWindow> windows = new CopyOnWriteArrayList<>();

  private TrainState(long seed, ParameterStorage storage) {
    this(seed, storage, false);
  }

  private TrainState(long seed, ParameterStorage storage, boolean promised) {
    this.promised = promised;
    this.seed = seed;
    this.storage = storage;
  }

  /**
   * A run's start. Each value is drawn from (seed, path): the same at every level and in any order
   * of construction.
   */
  public static TrainState of(Cell net, Optimizer optimizer, long seed) {
    return of(net, seed)
        .filled(
            state -> {
              state.declareSlots(net, optimizer);
              new StepState(state, StepRules.defaults()).declareCounters(optimizer);
            });
  }

  /**
   * The start of several networks, whose names stand before the paths of their cells. A step on one
   * of them alone is a step of {@code new Named(name, network)}.
   */
  public static TrainState of(Map<String, Cell> networks, long seed) {
    return new TrainState(seed, ParameterStorage.full())
        .filled(
            state ->
                new TreeMap<>(networks)
                    .forEach((name, network) -> state.draw(new Named(name, network))));
  }

  /** The start of a network that is only evaluated: parameters and statistics. */
  public static TrainState of(Cell net, long seed) {
    return of(net, seed, ParameterStorage.full());
  }

  /** The same, with parameters kept as {@code storage} says: in half, start values are rounded. */
  public static TrainState of(Cell net, long seed, ParameterStorage storage) {
    return new TrainState(seed, storage).filled(state -> state.draw(net));
  }

  /**
   * What {@link #of(Cell, long, ParameterStorage)} gives without the memory for it: of all but a
   * step's counters and scale there are specs and no values. Steps on it can be traced and
   * measured, not run.
   */
  public static TrainState promised(Cell net, long seed, ParameterStorage storage) {
    return new TrainState(seed, storage, true).filled(state -> state.draw(net));
  }

  /** This state with values; where they cannot be made, nothing stays open. */
  private TrainState filled(Consumer<TrainState> values) {
    try {
      values.accept(this);
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void draw(Cell net) {
    net.paths().forEach((cell, at) -> cell.parameters().forEach(parameter -> draw(parameter, at)));
  }

  private void draw(Parameter parameter, CellPath at) {
    Variable variable = parameter.in(at);
    TensorSpec spec = parameter.trainable() ? stored(parameter.spec()) : parameter.spec();
    if (promised) {
      values.put(variable, Tensor.symbol(spec));
      return;
    }
    Tensor value = scope.allocate(spec);
    long stream = new RandomKey(seed, variable.path(), 0).stream();
    LongToDoubleFunction start = parameter.initializer().values(parameter.spec().shape(), stream);
    long size = spec.size();
    for (long i = 0; i < size; i++) {
      Elements.set(value.data(), spec.dtype(), i, start.applyAsDouble(i));
    }
    values.put(variable, value);
  }

  private TensorSpec stored(TensorSpec spec) {
    return spec.dtype() == DType.FP32 ? spec.as(storage.dtype()) : spec;
  }

  /**
   * Adds what an optimizer remembers of each parameter of {@code net} that it moves, unless it is
   * there. A step of the standard recipe does it itself; an own recipe's optimizers are not known.
   */
  public void declareSlots(Cell net, Optimizer optimizer) {
    Map<Variable, TensorSpec> parameters = Trainable.specs(net, Parameter::trainable);
    optimizer.require(parameters.keySet());
    parameters.forEach(
        (parameter, spec) -> optimizer.slots(parameter).forEach(slot -> declare(slot, spec, 0)));
  }

  /** Adds the moving average of a parameter unless it is there: it starts where that stands. */
  void declareAverage(Variable parameter) {
    values.computeIfAbsent(parameter.average(), _ -> wide(read(parameter)));
  }

  /** Has moving averages start where their parameters stand now, unless a step has moved them. */
  void startAverages() {
    boolean moved =
        values.entrySet().stream()
            .anyMatch(
                each ->
                    each.getKey().kind() == Variable.Kind.APPLIED && each.getValue().item() > 0);
    if (moved) {
      return;
    }
    try (TensorScope once = TensorScope.open()) {
      values.forEach(
          (variable, value) -> {
            if (variable.kind() == Variable.Kind.PARAMETER
                && values.containsKey(variable.average())) {
              TensorSpec spec = value.spec().as(value.dtype().wide());
              assign(variable.average(), Tensor.of(once, spec, value.toArray()));
            }
          });
    }
  }

  /** Whatever a parameter is kept in, its average is FP32. */
  private Tensor wide(Tensor value) {
    TensorSpec spec = value.spec().as(value.dtype().wide());
    if (promised) {
      return Tensor.symbol(spec);
    }
    return Tensor.of(scope, spec, value.toArray());
  }

  /**
   * Adds a value unless it is there: a train cell brings its scale, a second one on the same state
   * finds it.
   */
  public void declare(Variable variable, TensorSpec spec, double value) {
    double[] elements = new double[Math.toIntExact(value == 0 ? 0 : spec.size())];
    Arrays.fill(elements, value);
    declare(variable, spec, elements);
  }

  /** The same with values for the first elements; the others are 0. */
  void declare(Variable variable, TensorSpec spec, double[] elements) {
    values.computeIfAbsent(
        variable,
        _ -> {
          if (promised && large(variable)) {
            return Tensor.symbol(spec);
          }
          Tensor tensor = scope.allocate(spec);
          for (int i = 0; i < elements.length; i++) {
            Elements.set(tensor.data(), spec.dtype(), i, elements[i]);
          }
          return tensor;
        });
  }

  /** Whether a value grows with the network; the others are a number or a few. */
  private static boolean large(Variable variable) {
    return switch (variable.kind()) {
      case PARAMETER, STATISTIC, SLOT, AVERAGE, WINDOW -> true;
      case SCALE, APPLIED, SEEN, REFUSED, PLATEAU, WATCHED, WINDOW_COUNT, DEMOTION -> false;
    };
  }

  @Override
  public Tensor read(Variable variable) {
    Tensor value = values.get(variable);
    if (value == null) {
      throw new UsageException(
          new Problem(
              "TrainState",
              variable.path().text(),
              "a value of kind " + variable.kind(),
              "none",
              "Make the state for this network and optimizer: TrainState.of(net, optimizer, seed)."));
    }
    return value;
  }

  @Override
  public long seed() {
    return seed;
  }

  /**
   * The same values, with the moving average of each parameter that has one in its place.
   *
   * @throws UsageException where none has
   */
  public Variables averaged() {
    if (values.keySet().stream().noneMatch(v -> v.kind() == Variable.Kind.AVERAGE)) {
      throw new UsageException(
          new Problem(
              "averaged",
              "",
              "moving averages of parameters",
              "none",
              "Train with the rule ema(decay)."));
    }
    return new Averaged(this);
  }

  private record Averaged(TrainState state) implements Variables {
    @Override
    public Tensor read(Variable variable) {
      boolean kept =
          variable.kind() == Variable.Kind.PARAMETER
              && state.values.containsKey(variable.average());
      return state.read(kept ? variable.average() : variable);
    }

    @Override
    public long seed() {
      return state.seed();
    }
  }

  /** How parameters are kept between steps. */
  public ParameterStorage storage() {
    return storage;
  }

  /** All values, in the order in which they were declared. They move with the run. */
  public Map<Variable, Tensor> values() {
    return Collections.unmodifiableMap(values);
  }

  /** The present values, copied into another scope. */
  public Map<Variable, Tensor> snapshot(TensorScope into) {
    Map<Variable, Tensor> copy = new LinkedHashMap<>();
    values.forEach((variable, value) -> copy.put(variable, into.copy(value)));
    return copy;
  }

  /**
   * Overwrites a value, between steps.
   *
   * @throws UsageException while a step runs, which may have read it already
   */
  public void assign(Variable variable, Tensor value) {
    try (ThreadGuard.Pass _ = stepping.enter()) {
      copy(variable, value);
    }
  }

  private void copy(Variable variable, Tensor value) {
    Tensor target = read(variable);
    if (!target.spec().equals(value.spec())) {
      throw new UsageException(
          new Problem(
              "TrainState",
              variable.path().text(),
              target.spec().toString(),
              value.spec().toString(),
              ""));
    }
    target.write().copyFrom(value.data());
  }

  /** Keeps others from stepping on these values or assigning them, until the answer is closed. */
  ThreadGuard.Pass step() {
    return stepping.enter();
  }

  /** The loops that take steps on it; each enters and leaves by itself. */
  List<LoopWindow> windows() {
    return windows;
  }

  /** Frees all values. Plans bound to this state cannot run afterwards. */
  @Override
  public void close() {
    scope.close();
  }
}
