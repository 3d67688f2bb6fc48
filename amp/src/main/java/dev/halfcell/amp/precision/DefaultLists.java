package dev.halfcell.amp.precision;

import dev.halfcell.nn.BatchNorm1d;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv1d;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Conv2dTranspose;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.GRU;
import dev.halfcell.nn.GroupNorm;
import dev.halfcell.nn.LSTM;
import dev.halfcell.nn.LayerNorm;
import dev.halfcell.nn.LogSoftmax;
import dev.halfcell.nn.MultiHeadAttention;
import dev.halfcell.nn.RMSNorm;
import dev.halfcell.nn.Softmax;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;

/**
 * The cells and ops whose own class is ALLOW or DENY, as lists to start from. A test holds them to
 * what the classes say.
 */
public final class DefaultLists {
  private DefaultLists() {}

  /** What gains from half. */
  public static Selection white() {
    return Selection.of(
            Dense.class,
            Conv1d.class,
            Conv2d.class,
            Conv2dTranspose.class,
            LSTM.class,
            GRU.class,
            MultiHeadAttention.class)
        .and("Dense", "MatMul", "Conv2d", "Conv2dTranspose", "Lstm", "Gru")
        .and("ScaledDotProductAttention");
  }

  /** What needs FP32. */
  public static Selection black() {
    return Selection.of(
            BatchNorm1d.class,
            BatchNorm2d.class,
            LayerNorm.class,
            GroupNorm.class,
            RMSNorm.class,
            Softmax.class,
            LogSoftmax.class)
        .and("BatchNorm", "Normalize", "LayerNorm", "GroupNorm", "RmsNorm")
        .and("Softmax", "LogSoftmax", "LogSumExp", "Exp", "Log", "Pow", "Rsqrt", "Sum", "Mean");
  }

  /**
   * {@code net} by these lists instead of the default ones. With an allow list alone, what is not
   * on it takes its widest input, or FP32 where its class needs that; with a deny list alone, what
   * is not on it is half; with both, what is on neither takes its widest input. Source: MindSpore,
   * amp.custom_mixed_precision.
   */
  public static MixedPrecisionCell custom(Cell net, Selection allow, Selection deny, DType half) {
    if (allow.isEmpty() && deny.isEmpty()) {
      throw new ArgumentException(
          new Problem(
              "customMixedPrecision",
              "",
              "an allow list or a deny list",
              "two that are empty",
              "Start from Amp.whiteList() or Amp.blackList()."));
    }
    Selection black = black().without(allow).without(deny);
    PrecisionOptions options = PrecisionOptions.defaults().half(half);
    if (allow.isEmpty()) {
      return MixedPrecisionCell.of(
          net, Level.O2, options.lists(new PrecisionLists(black, deny, Selection.none())));
    }
    Selection rest = Selection.of("/**");
    Selection widest = deny.isEmpty() ? rest : rest.with(black);
    return MixedPrecisionCell.of(
        net, Level.AUTO, options.lists(new PrecisionLists(allow, deny, widest)));
  }
}
