package dev.halfcell.testkit;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.precision.Casting;
import dev.halfcell.op.precision.WithPartials;
import dev.halfcell.op.shape.Reshape;
import dev.halfcell.op.update.SgdRule;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A training step of ops that were drawn at random: forward, a loss, backward, SGD.
 *
 * @param seed from which it was drawn
 * @param dtype what it computes in
 * @param leaves its inputs, floating ones as parameters in FP32
 * @param nodes its ops; the first output of each may be an input of later ones
 */
record RandomGraph(long seed, DType dtype, List<Leaf> leaves, List<Node> nodes) {
  private static final double RATE = 0.5;

  /** An input, with its values. */
  record Leaf(DType dtype, Shape shape, double[] values) {
    TensorSpec spec(DType tested) {
      boolean wide = dtype.floating() && tested == DType.FP64;
      return new TensorSpec(wide ? DType.FP64 : dtype, shape);
    }
  }

  /** Where an input of an op comes from: leaf {@code number}, or the output of that node. */
  record Source(boolean leaf, int number) {}

  /**
   * An op.
   *
   * @param each the op, with inputs that it takes
   * @param in where its inputs come from
   */
  record Node(OpCase each, List<Source> in) {
    Op op() {
      return each.op();
    }
  }

  /**
   * What a description yields.
   *
   * @param values the first output of each node
   * @param results loss, values that nothing reads, parameters after the step
   */
  record Described(List<Tensor> values, List<Tensor> results) {}

  /** The inputs of a run: in FP64 for {@code tested} FP64, else as they are. */
  List<Tensor> inputs(TensorScope scope, DType tested) {
    return leaves.stream().map(l -> Tensor.of(scope, l.spec(tested), l.values())).toList();
  }

  /** The specs of the inputs. */
  List<TensorSpec> signature() {
    return leaves.stream().map(leaf -> leaf.spec(dtype)).toList();
  }

  /** Describes the step to an executor. */
  Described describe(Executor executor, List<Tensor> inputs, DType tested) {
    Tape tape = new Tape(executor);
    Ops ops = new Ops(tape, OpCase.PATH);
    inputs.stream().filter(x -> x.dtype().floating()).forEach(tape::watch);
    List<Tensor> values = new ArrayList<>();
    for (Node node : nodes) {
      values.add(run(ops, node, inputs, values, tested));
    }
    List<Tensor> ends = ends().stream().map(values::get).toList();
    Tensor loss = loss(ops, inputs, ends);
    Ops below = new Ops(executor, OpCase.PATH);
    Map<Tensor, Tensor> gradients = tape.gradients(loss, last(inputs, 2));
    List<Tensor> results = new ArrayList<>(List.of(loss));
    results.addAll(ends);
    for (Tensor parameter : inputs.subList(0, inputs.size() - 2)) {
      if (gradients.containsKey(parameter) && parameter.dtype().floating()) {
        Tensor gradient = Objects.requireNonNull(gradients.get(parameter));
        results.add(below.run(new SgdRule(0), parameter, gradient, last(inputs, 1)));
      }
    }
    return new Described(values, results);
  }

  private static Tensor last(List<Tensor> inputs, int fromEnd) {
    return inputs.get(inputs.size() - fromEnd);
  }

  /** One node's first output, its inputs cast to what it takes. */
  static Tensor run(Ops ops, Node node, List<Tensor> inputs, List<Tensor> values, DType tested) {
    return ops.run(node.op(), taken(ops, node, inputs, values, tested));
  }

  /** The inputs of a node, cast to what it takes. */
  static Tensor[] taken(
      Ops ops, Node node, List<Tensor> inputs, List<Tensor> values, DType tested) {
    boolean full = !node.each().dtypes().contains(tested) && tested != DType.FP64;
    List<TensorSpec> specs = node.each().specs(full ? DType.FP32 : tested);
    Tensor[] taken = new Tensor[node.in().size()];
    for (int i = 0; i < taken.length; i++) {
      Source source = node.in().get(i);
      Tensor x = (source.leaf() ? inputs : values).get(source.number());
      taken[i] = x.dtype().floating() ? ops.cast(x, specs.get(i).dtype()) : x;
    }
    return taken;
  }

  /** The nodes whose output no other reads. */
  List<Integer> ends() {
    List<Integer> read =
        nodes.stream()
            .flatMap(node -> node.in().stream())
            .filter(source -> !source.leaf())
            .map(Source::number)
            .toList();
    return IntStream.range(0, nodes.size()).filter(n -> !read.contains(n)).boxed().toList();
  }

  /** Each end times numbers of its own, summed: the leaves before the seed and the rate. */
  private Tensor loss(Ops ops, List<Tensor> inputs, List<Tensor> ends) {
    int first = inputs.size() - 2 - ends.size();
    List<Tensor> parts = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      Tensor end = ends.get(i);
      Tensor flat = ops.reshape(end, Shape.of(1, Math.toIntExact(end.spec().size())));
      Tensor weights = inputs.get(first + i);
      parts.add(ops.dense(ops.cast(flat, weights.dtype()), weights));
    }
    return ops.reshape(parts.stream().reduce(ops::add).orElseThrow(), Shape.SCALAR);
  }

  /** The same graph with what a loss and an update need behind its leaves. */
  static RandomGraph closed(
      long seed, DType dtype, List<Leaf> leaves, List<Node> nodes, List<Shape> outputs) {
    Generator generator = new Generator(seed ^ 0x5DEECE66DL);
    List<Leaf> all = new ArrayList<>(leaves);
    RandomGraph open = new RandomGraph(seed, dtype, leaves, nodes);
    for (int end : open.ends()) {
      int size = Math.toIntExact(outputs.get(end).size());
      double[] weights = Fill.normals().map(v -> v / size).values(generator, size);
      all.add(leaf(DType.FP32, Shape.of(1, size), weights));
    }
    all.add(leaf(DType.FP32, Shape.SCALAR, 1));
    all.add(leaf(DType.FP32, Shape.SCALAR, RATE));
    return new RandomGraph(seed, dtype, all, nodes);
  }

  /** A leaf of values that its dtype can hold. */
  static Leaf leaf(DType dtype, Shape shape, double... values) {
    double[] held = new double[values.length];
    for (int i = 0; i < held.length; i++) {
      held[i] = dtype.round(values[i]);
    }
    return new Leaf(dtype, shape, held);
  }

  /** Ops by name, with how often, for messages. */
  @Override
  public String toString() {
    Map<String, Long> count =
        nodes.stream()
            .map(node -> node.op().label())
            .collect(
                Collectors.groupingBy(name -> name, LinkedHashMap::new, Collectors.counting()));
    return "graph of seed " + seed + " in " + dtype.label() + ": " + count;
  }

  /** A matrix of weights that brings a tensor of one size to another. */
  static Node dense(Source x, Source weights, int from, int to) {
    OpCase each =
        OpCase.of(
            new Dense(),
            Argument.data(Shape.of(1, from), Fill.normals()),
            Argument.data(Shape.of(to, from), Fill.normals()));
    return new Node(each, List.of(x, weights));
  }

  /** A reshape. */
  static Node reshape(Source x, Shape from, Shape to) {
    return new Node(OpCase.of(new Reshape(to), Argument.data(from, Fill.normals())), List.of(x));
  }

  /**
   * Whether the op may stand in a random graph by itself: casts are put in where they are due, and
   * not every backend offers partials.
   */
  static boolean mayStand(Op op) {
    return !(op instanceof Casting || op instanceof WithPartials);
  }
}
