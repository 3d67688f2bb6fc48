package dev.halfcell.zoo.run;

import dev.halfcell.data.DataSet;
import dev.halfcell.train.Accuracy;
import dev.halfcell.train.Evaluation;
import dev.halfcell.train.Inference;
import dev.halfcell.train.Loss;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;

/**
 * How good a network is on test samples. What is done to images at random is not done to them.
 *
 * @param loss the mean loss of a sample
 * @param accuracy the share of samples that were classified right, from 0 to 1
 * @param topFive the share of samples whose class is among the five likeliest; none where there are
 *     fewer than six classes
 */
public record TestScores(double loss, double accuracy, OptionalDouble topFive) {
  private static final int FIVE = 5;

  /** Those of all samples of {@code test}, computed so many at a time; NaN where it has none. */
  static TestScores of(Inference inference, DataSet test, int batchSize) {
    if (test.size() == 0) {
      return new TestScores(Double.NaN, Double.NaN, OptionalDouble.empty());
    }
    Loss loss = new Loss(NetworkDefinition.lossOfEach());
    Accuracy accuracy = new Accuracy();
    Accuracy topFive = Accuracy.top(FIVE);
    var _ = Evaluation.of(inference, test, batchSize, loss, accuracy, topFive);
    return new TestScores(
        loss.value(),
        accuracy.value(),
        test.classes() > FIVE ? OptionalDouble.of(topFive.value()) : OptionalDouble.empty());
  }

  /** Whether there was nothing to test on. */
  public boolean none() {
    return Double.isNaN(accuracy);
  }

  /**
   * As an object of JSON on one line, with the keys of {@code summary.json}.
   *
   * @param averaged whether they are those of moving averages
   */
  public String json(boolean averaged) {
    return JsonText.line(to -> write(to, averaged ? "ema_" : ""));
  }

  /** As properties whose names begin so; what is not finite or not there is null. */
  void write(JsonGenerator to, String prefix) {
    JsonText.number(to, prefix + "test_loss", loss);
    JsonText.number(to, prefix + "test_accuracy", accuracy);
    JsonText.number(to, prefix + "test_top5_accuracy", topFive.orElse(Double.NaN));
  }
}
