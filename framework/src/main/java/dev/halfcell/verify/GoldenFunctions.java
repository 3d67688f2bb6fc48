package dev.halfcell.verify;

import dev.halfcell.op.Op;
import dev.halfcell.op.elementwise.Add;
import dev.halfcell.op.elementwise.Clip;
import dev.halfcell.op.elementwise.Div;
import dev.halfcell.op.elementwise.Exp;
import dev.halfcell.op.elementwise.Gelu;
import dev.halfcell.op.elementwise.LeakyRelu;
import dev.halfcell.op.elementwise.Log;
import dev.halfcell.op.elementwise.Mul;
import dev.halfcell.op.elementwise.Relu;
import dev.halfcell.op.elementwise.Sigmoid;
import dev.halfcell.op.elementwise.Silu;
import dev.halfcell.op.elementwise.Sqrt;
import dev.halfcell.op.elementwise.Tanh;
import dev.halfcell.op.reduction.LogSoftmax;
import dev.halfcell.op.reduction.Mean;
import dev.halfcell.op.reduction.Softmax;
import dev.halfcell.op.reduction.Sum;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Files of ops that compute place by place or along axes. */
final class GoldenFunctions {
  private GoldenFunctions() {}

  static Optional<OpComputation> computation(GoldenFile file, Attributes has) {
    return switch (file.attribute("op").orElse("")) {
      case "add" -> has.only().map(_ -> OpComputation.of(new Add(), "a", "b"));
      case "mul" -> has.only().map(_ -> OpComputation.of(new Mul(), "a", "b"));
      case "div" -> has.only().map(_ -> OpComputation.of(new Div(), "a", "b"));
      case "clipped_relu" ->
          has.only("min", "max").map(f -> of(new Clip(f.number("min"), f.number("max"))));
      case "leaky_relu" -> has.only("slope").map(f -> of(new LeakyRelu(f.number("slope"))));
      case "gelu" -> gelu(has);
      case "reduce_sum" -> has.only("axis").map(f -> along(f, axes -> new Sum(axes, false)));
      case "reduce_mean" -> has.only("axis").map(f -> along(f, Mean::new));
      case "softmax" -> has.only("axis").map(f -> along(f, axis -> new Softmax(axis.getFirst())));
      case "log_softmax" ->
          has.only("axis").map(f -> along(f, axis -> new LogSoftmax(axis.getFirst())));
      case String op -> has.only().flatMap(_ -> plain(op)).map(GoldenFunctions::of);
    };
  }

  /** Functions of one number without any options. */
  private static Optional<Op> plain(String op) {
    return switch (op) {
      case "relu" -> Optional.of(new Relu());
      case "exp" -> Optional.of(new Exp());
      case "log" -> Optional.of(new Log());
      case "sqrt" -> Optional.of(new Sqrt());
      case "sigmoid" -> Optional.of(new Sigmoid());
      case "tanh" -> Optional.of(new Tanh());
      case "silu" -> Optional.of(new Silu());
      default -> Optional.empty();
    };
  }

  private static OpComputation of(Op op) {
    return OpComputation.of(op, "x");
  }

  private static Optional<OpComputation> gelu(Attributes has) {
    return has.only(Map.of("approximate", "none"), "approximate")
        .map(_ -> of(new Gelu(false)))
        .or(
            () ->
                has.only(Map.of("approximate", "tanh"), "approximate")
                    .map(_ -> of(new Gelu(true))));
  }

  /** An op of axes that may be given as {@code all}, or counted from the end. */
  private static OpComputation along(GoldenFile file, Function<List<Integer>, Op> op) {
    return (ops, in, scope) ->
        of(op.apply(axes(file, in.apply("x").shape()))).outputs(ops, in, scope);
  }

  private static List<Integer> axes(GoldenFile file, Shape x) {
    if (file.attribute("axis").equals(Optional.of("all"))) {
      return IntStream.range(0, x.rank()).boxed().toList();
    }
    int axis = file.integer("axis");
    return List.of(axis < 0 ? axis + x.rank() : axis);
  }
}
