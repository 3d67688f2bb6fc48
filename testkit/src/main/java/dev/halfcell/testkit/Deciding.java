package dev.halfcell.testkit;

import dev.halfcell.autodiff.Tape;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.Op;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.testkit.RandomGraph.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Ops that decide: their gradient jumps where one number passes another, so that a rounding may
 * move it by more than any rounding is worth.
 */
final class Deciding {
  private static final Pattern NAMES =
      Pattern.compile(
          ".*(Relu|ReLU|Max|Min|Abs|Clip|Where|Select|Greater|Less|Equal|Compare|Arg|L1|Hard).*");
  private static final int TRIES = 6;
  private static final double JUMP = 0.02;

  private Deciding() {}

  /** Whether the op decides. */
  static boolean decides(Op op) {
    return NAMES.matcher(op.label()).matches();
  }

  /**
   * Whether some op of the graph has its gradient jump when its inputs move by {@code margin} of
   * the largest of them.
   *
   * @param inputs in FP64
   */
  static boolean withinMargin(RandomGraph graph, List<Tensor> inputs, double margin) {
    try (TensorScope scope = TensorScope.open()) {
      Ops ops = new Ops(new ReferenceBackend().eager(scope), OpCase.PATH);
      List<Tensor> values = new ArrayList<>();
      for (Node node : graph.nodes()) {
        if (decides(node.op()) && jumps(node, inputs, values, graph.seed(), margin)) {
          return true;
        }
        values.add(RandomGraph.run(ops, node, inputs, values, DType.FP64));
      }
      return false;
    }
  }

  private static boolean jumps(
      Node node, List<Tensor> inputs, List<Tensor> values, long seed, double margin) {
    try (TensorScope scope = TensorScope.open()) {
      Ops ops = new Ops(new ReferenceBackend().eager(scope), OpCase.PATH);
      List<Tensor> in = List.of(RandomGraph.taken(ops, node, inputs, values, DType.FP64));
      double[] want = gradient(scope, node, in);
      Generator generator = new Generator(seed);
      return IntStream.range(0, TRIES)
          .mapToObj(_ -> moved(scope, node, in, generator, margin))
          .anyMatch(moved -> differ(want, gradient(scope, node, moved)));
    }
  }

  private static List<Tensor> moved(
      TensorScope scope, Node node, List<Tensor> in, Generator generator, double margin) {
    List<Tensor> moved = new ArrayList<>(in);
    for (int i = 0; i < node.each().differentiable(); i++) {
      double[] values = in.get(i).toArray();
      double by = margin * largest(values);
      for (int j = 0; j < values.length; j++) {
        values[j] += generator.flag() ? by : -by;
      }
      moved.set(i, Tensor.of(scope, in.get(i).spec(), values));
    }
    return moved;
  }

  private static double[] gradient(TensorScope scope, Node node, List<Tensor> in) {
    Tape tape = new Tape(new ReferenceBackend().eager(scope));
    List<Tensor> leading = in.subList(0, node.each().differentiable());
    leading.forEach(tape::watchInput);
    Tensor out = tape.execute(node.op(), in, OpCase.PATH).getFirst();
    Argument d = Argument.data(out.shape(), Fill.awayFromZero());
    Map<Tensor, Tensor> gradients =
        tape.gradients(out, d.tensor(scope, out.dtype(), new Generator(1)));
    return leading.stream()
        .filter(gradients::containsKey)
        .flatMapToDouble(x -> Arrays.stream(gradients.getOrDefault(x, x).toArray()))
        .toArray();
  }

  private static boolean differ(double[] a, double[] b) {
    double most = JUMP * largest(a);
    return IntStream.range(0, a.length).anyMatch(i -> Math.abs(a[i] - b[i]) > most);
  }

  private static double largest(double[] values) {
    double largest = 0;
    for (double value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }
}
