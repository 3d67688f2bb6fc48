package dev.halfcell.verify;

import dev.halfcell.op.loss.BceWithLogits;
import dev.halfcell.op.loss.CtcLoss;
import dev.halfcell.op.loss.ElementLoss;
import dev.halfcell.op.loss.L1;
import dev.halfcell.op.loss.LossReduction;
import dev.halfcell.op.loss.MeanSquaredError;
import dev.halfcell.op.loss.SmoothL1;
import dev.halfcell.op.loss.SoftmaxCrossEntropy;
import dev.halfcell.op.loss.Targets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The losses among the golden files. */
final class GoldenLosses {
  private static final Map<String, String> MEAN = Map.of("reduction", "mean");

  private GoldenLosses() {}

  /** A loss that is a mean over elements or rows. */
  static Optional<OpComputation> mean(GoldenFile file) {
    Attributes has = new Attributes(file);
    return switch (file.required("op")) {
      case "softmax_cross_entropy" -> has.only(MEAN, "label_smoothing").map(GoldenLosses::entropy);
      case "mse_loss" -> has.only(MEAN).map(_ -> pairs(new MeanSquaredError()));
      case "l1_loss" -> has.only(MEAN).map(_ -> pairs(new L1()));
      case "smooth_l1_loss" ->
          has.only(MEAN, "beta").map(f -> pairs(new SmoothL1(f.number("beta"))));
      case "bce_with_logits" -> has.only(MEAN).map(_ -> pairs(new BceWithLogits()));
      default -> Optional.empty();
    };
  }

  private static OpComputation entropy(GoldenFile file) {
    boolean smooth = file.attribute("label_smoothing").isPresent();
    double smoothing = smooth ? file.number("label_smoothing") : 0;
    Targets targets = new Targets(smoothing, OptionalLong.empty());
    return OpComputation.of(new SoftmaxCrossEntropy(targets), "logits", "labels");
  }

  private static OpComputation pairs(ElementLoss loss) {
    return OpComputation.of(loss, "x", "target");
  }

  /** Connectionist temporal classification. */
  static Optional<OpComputation> alignment(GoldenFile file) {
    Map<String, String> fixed =
        Map.of(
            "reduction", "mean (each loss over its target length, then batch mean)",
            "layout", "T,N,C logits; log_softmax applied inside");
    return new Attributes(file)
        .only(fixed, "blank")
        .map(
            f ->
                OpComputation.of(
                    new CtcLoss(f.integer("blank"), LossReduction.MEAN, false),
                    "logits",
                    "targets",
                    "input_lengths",
                    "target_lengths"));
  }
}
