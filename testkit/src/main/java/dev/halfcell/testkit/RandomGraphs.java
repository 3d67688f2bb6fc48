package dev.halfcell.testkit;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.FrameworkException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.testkit.RandomGraph.Leaf;
import dev.halfcell.testkit.RandomGraph.Node;
import dev.halfcell.testkit.RandomGraph.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Draws graphs of 5 to 30 differentiable ops of all families. While it draws, it computes in FP64,
 * and takes back an op whose result is not finite, very large or very small.
 */
final class RandomGraphs {
  private static final int MOST_ELEMENTS = 600;
  private static final int MOST_WEIGHTS = 8000;
  private static final int MOST_TRIES = 400;
  private static final double SMALLEST = 0.05;
  private static final double LARGEST = 20;
  private static final List<DType> DTYPES = List.of(DType.FP32, DType.FP16, DType.BF16);

  private final List<List<OpCase>> byOp;

  /** A source of graphs from the cases of one seed that a backend offers to compute. */
  RandomGraphs(long seed, Backend backend) {
    Map<String, List<OpCase>> usable =
        OpCases.all(seed).stream()
            .filter(RandomGraphs::usable)
            .filter(each -> backend.offers(each.op(), each.specs(DType.FP32)))
            .collect(Collectors.groupingBy(c -> c.op().label(), TreeMap::new, Collectors.toList()));
    byOp = List.copyOf(usable.values());
  }

  private static boolean usable(OpCase each) {
    long elements = each.arguments().stream().mapToLong(a -> a.shape().size()).sum();
    return each.differentiable() > 0
        && RandomGraph.mayStand(each.op())
        && elements <= MOST_ELEMENTS
        && each.inferred(DType.FP64).getFirst().dtype() == DType.FP64
        && each.inferred(DType.FP64).getFirst().size() <= MOST_ELEMENTS;
  }

  /** The graph of a seed. */
  RandomGraph draw(long seed) {
    Generator generator = new Generator(seed);
    try (TensorScope scope = TensorScope.open()) {
      return new Drawing(seed, generator, scope).graph();
    }
  }

  private final class Drawing {
    private final long seed;
    private final Generator generator;
    private final TensorScope scope;
    private final Executor executor;
    private final DType dtype;
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<Tensor> inputs = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Tensor> values = new ArrayList<>();

    Drawing(long seed, Generator generator, TensorScope scope) {
      this.seed = seed;
      this.generator = generator;
      this.scope = scope;
      this.executor = new ReferenceBackend().eager(scope);
      this.dtype = DTYPES.get(generator.integer(0, DTYPES.size() - 1));
    }

    RandomGraph graph() {
      int size = generator.integer(5, 30);
      for (int tries = 0; nodes.size() < size && tries < MOST_TRIES; tries++) {
        int leavesBefore = leaves.size();
        int nodesBefore = nodes.size();
        if (!grow(size)) {
          takeBack(leaves, leavesBefore);
          takeBack(inputs, leavesBefore);
          takeBack(nodes, nodesBefore);
          takeBack(values, nodesBefore);
        }
      }
      List<Shape> shapes = values.stream().map(Tensor::shape).toList();
      return RandomGraph.closed(seed, dtype, leaves, nodes, shapes);
    }

    private static void takeBack(List<?> list, int size) {
      list.subList(size, list.size()).clear();
    }

    private boolean grow(int size) {
      List<OpCase> cases = byOp.get(generator.integer(0, byOp.size() - 1));
      OpCase each = cases.get(generator.integer(0, cases.size() - 1));
      boolean freely = !Deciding.decides(each.op()) || dtype == DType.FP32;
      List<Source> in = new ArrayList<>();
      for (int i = 0; i < each.arguments().size(); i++) {
        Argument argument = each.arguments().get(i);
        boolean link = freely && i < each.differentiable() && (i == 0 || generator.flag());
        Optional<Source> linked = link ? linked(argument.shape(), i == 0) : Optional.empty();
        in.add(linked.orElseGet(() -> leaf(argument)));
      }
      return nodes.size() < size && add(new Node(each, in));
    }

    private boolean add(Node node) {
      try {
        Ops ops = new Ops(executor, OpCase.PATH);
        values.add(RandomGraph.run(ops, node, inputs, values, DType.FP64));
        nodes.add(node);
        return wellScaled(values.getLast());
      } catch (FrameworkException e) {
        return false; // such as labels that are out of range by now
      }
    }

    private static boolean wellScaled(Tensor value) {
      double largest = 0;
      for (double element : value.toArray()) {
        if (!Double.isFinite(element)) {
          return false;
        }
        largest = Math.max(largest, Math.abs(element));
      }
      return largest >= SMALLEST && largest <= LARGEST;
    }

    private Source leaf(Argument argument) {
      DType held = argument.spec(DType.FP32).dtype();
      int size = Math.toIntExact(argument.shape().size());
      double[] drawn = argument.fill().values(generator, size);
      Leaf leaf = RandomGraph.leaf(held, argument.shape(), drawn);
      leaves.add(leaf);
      inputs.add(Tensor.of(scope, leaf.spec(DType.FP64), leaf.values()));
      return new Source(true, leaves.size() - 1);
    }

    /** A value of this shape: one that is there, reshaped or sent through weights. */
    private Optional<Source> linked(Shape shape, boolean anySize) {
      if (values.isEmpty()) {
        return Optional.empty();
      }
      int from = generator.integer(0, values.size() - 1);
      Tensor value = values.get(from);
      Source source = new Source(false, from);
      if (value.shape().equals(shape)) {
        return Optional.of(source);
      }
      int size = Math.toIntExact(value.spec().size());
      int wanted = Math.toIntExact(shape.size());
      if (size == wanted) {
        return reshaped(source, value.shape(), shape);
      }
      if (!anySize || (long) size * wanted > MOST_WEIGHTS) {
        return Optional.empty();
      }
      return reshaped(source, value.shape(), Shape.of(1, size))
          .flatMap(flat -> weighed(flat, size, wanted))
          .flatMap(sent -> reshaped(sent, Shape.of(1, wanted), shape));
    }

    private Optional<Source> weighed(Source x, int size, int wanted) {
      Fill small = Fill.normals().map(v -> v / Math.sqrt(size));
      Source weights = leaf(Argument.data(Shape.of(wanted, size), small));
      return added(RandomGraph.dense(x, weights, size, wanted));
    }

    private Optional<Source> reshaped(Source x, Shape from, Shape to) {
      return from.equals(to) ? Optional.of(x) : added(RandomGraph.reshape(x, from, to));
    }

    private Optional<Source> added(Node node) {
      return add(node) ? Optional.of(new Source(false, values.size() - 1)) : Optional.empty();
    }
  }
}
