package dev.halfcell.verify;

import dev.halfcell.backend.Backend;
import dev.halfcell.op.Padding2d;
import dev.halfcell.op.convolution.Conv2d;
import dev.halfcell.op.convolution.Conv2dGeometry;
import dev.halfcell.op.indexing.Embedding;
import dev.halfcell.op.linear.Dense;
import dev.halfcell.op.linear.MatMul;
import dev.halfcell.op.normalization.GroupNorm;
import dev.halfcell.op.normalization.LayerNorm;
import dev.halfcell.op.pooling.AvgPool2d;
import dev.halfcell.op.pooling.MaxPool2d;
import dev.halfcell.op.pooling.Window2d;
import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.op.shape.Transpose;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Files of one op: outputs and gradients, both run op by op and as a compiled plan. */
public final class GoldenOps implements GoldenCheck {
  @Override
  public boolean covers(GoldenFile file) {
    return computation(file).isPresent();
  }

  @Override
  public List<Verification> check(GoldenFile file, Backend backend) {
    return computation(file)
        .map(computation -> new OpComparison(file, computation, backend).worst())
        .map(worst -> Verification.of(file, worst))
        .stream()
        .toList();
  }

  /** What the file asks for; nothing where one of its attributes asks for more than there is. */
  private static Optional<OpComputation> computation(GoldenFile file) {
    Attributes has = new Attributes(file);
    return switch (file.attribute("op").orElse("")) {
      case "conv2d" ->
          has.only("stride", "padding", "dilation", "groups")
              .map(f -> OpComputation.of(new Conv2d(geometry(f)), "x", "weight", "bias"));
      case "dense" -> has.only().map(_ -> OpComputation.of(new Dense(), "x", "weight", "bias"));
      case "batch_matmul" ->
          has.only().map(_ -> OpComputation.of(new MatMul(false, false, false), "a", "b"));
      case "scaled_dot_product_attention" ->
          has.only("causal").map(f -> attention(f.attribute("causal").orElse("").equals("true")));
      case "batch_norm" ->
          has.only("momentum_torch", "eps")
              .map(f -> new BatchNormComputation(f.number("momentum_torch"), f.number("eps")));
      case "layer_norm" ->
          has.only("eps")
              .map(f -> OpComputation.of(new LayerNorm(f.number("eps")), "x", "gamma", "beta"));
      case "group_norm" -> has.only("groups", "eps").map(GoldenOps::groupNorm);
      case "max_pool2d" ->
          has.only("kernel", "stride", "padding")
              .map(f -> OpComputation.of(new MaxPool2d(window(f)), "x"));
      case "avg_pool2d" ->
          has.only("count_include_pad", "kernel", "stride", "padding")
              .map(f -> OpComputation.of(new AvgPool2d(window(f), countPadding(f)), "x"));
      case "lstm" -> recurrent(has, RecurrentComputation.LSTM_GATES, Lstm::new);
      case "gru" -> recurrent(has, RecurrentComputation.GRU_GATES, Gru::new);
      case "transpose" ->
          has.only("perm").map(f -> OpComputation.of(new Transpose(f.integers("perm")), "x"));
      case "embedding" ->
          has.only()
              .map(
                  _ ->
                      OpComputation.of(new Embedding(OptionalInt.empty(), false), "weight", "ids"));
      case "softmax_cross_entropy", "mse_loss", "l1_loss", "smooth_l1_loss", "bce_with_logits" ->
          GoldenLosses.mean(file);
      case "ctc_loss" -> GoldenLosses.alignment(file);
      default -> GoldenFunctions.computation(file, has);
    };
  }

  private static OpComputation groupNorm(GoldenFile file) {
    GroupNorm op = new GroupNorm(file.integer("groups"), file.number("eps"));
    return OpComputation.of(op, "x", "gamma", "beta");
  }

  private static Optional<OpComputation> recurrent(
      Attributes has, String gates, Function<Pass, Recurrent> layer) {
    Map<String, String> fixed = Map.of("layout", "T,N,I", "gates", gates);
    return has.only(fixed, "bidirectional")
        .map(f -> new RecurrentComputation(layer, f.required("bidirectional").equals("true")));
  }

  private static OpComputation attention(boolean causal) {
    return (ops, in, _) ->
        new LinkedHashMap<>(
            Map.of(
                OpComputation.OUTPUT,
                ops.attention(causal, in.apply("q"), in.apply("k"), in.apply("v"))));
  }

  private static Conv2dGeometry geometry(GoldenFile file) {
    int stride = file.integer("stride");
    int dilation = file.integer("dilation");
    Padding2d padding = Padding2d.of(file.integer("padding"));
    return new Conv2dGeometry(stride, stride, padding, dilation, dilation, file.integer("groups"));
  }

  private static boolean countPadding(GoldenFile file) {
    return Boolean.parseBoolean(file.required("count_include_pad"));
  }

  private static Window2d window(GoldenFile file) {
    return Window2d.square(file.integer("kernel"), file.integer("stride"), file.integer("padding"));
  }
}
