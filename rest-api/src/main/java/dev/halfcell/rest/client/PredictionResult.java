package dev.halfcell.rest.client;

import java.util.List;
import java.util.Optional;

/**
 * What a model made of samples.
 *
 * @param job whose model it is
 * @param modelSha256 of its {@code model.safetensors}, in hexadecimal digits
 * @param network its network
 * @param level the precision level that it was computed at
 * @param half the 16-bit dtype
 * @param device what computed
 * @param milliseconds what all of it took
 * @param predictions those of the samples, in their order
 */
public record PredictionResult(
    String job,
    String modelSha256,
    String network,
    String level,
    String half,
    String device,
    long milliseconds,
    List<SamplePrediction> predictions) {
  public PredictionResult {
    predictions = List.copyOf(predictions);
  }

  /**
   * What it made of one sample.
   *
   * @param logits its output, by class
   * @param probabilities the softmax of it
   * @param classes the likeliest, the likeliest first
   */
  public record SamplePrediction(
      List<Double> logits, List<Double> probabilities, List<LikelyClass> classes) {
    public SamplePrediction {
      logits = List.copyOf(logits);
      probabilities = List.copyOf(probabilities);
      classes = List.copyOf(classes);
    }
  }

  /**
   * A class.
   *
   * @param label its number
   * @param name its name, where the data set has one
   * @param probability its share
   */
  public record LikelyClass(int label, Optional<String> name, double probability) {}
}
