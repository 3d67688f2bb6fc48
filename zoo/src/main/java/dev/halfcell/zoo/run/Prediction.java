package dev.halfcell.zoo.run;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a network makes of one sample.
 *
 * @param sample its number in its file, from 0
 * @param logits its output, by class
 * @param probabilities the softmax of it
 * @param guesses the likeliest classes, the likeliest first; of equal ones the first
 */
public record Prediction(
    int sample, List<Double> logits, List<Double> probabilities, List<Guess> guesses) {
  public Prediction {
    logits = List.copyOf(logits);
    probabilities = List.copyOf(probabilities);
    guesses = List.copyOf(guesses);
  }

  /**
   * A class.
   *
   * @param label its number
   * @param name its name, where the data set has one for it
   * @param probability its share of the softmax over all classes
   */
  public record Guess(int label, Optional<String> name, double probability) {
    /** Its name, or its number. */
    public String text() {
      return name.orElseGet(() -> "class " + label);
    }
  }

  /** The {@code most} likeliest classes by these logits, all finite. */
  static Prediction of(int sample, double[] logits, List<String> names, int most) {
    double largest = Arrays.stream(logits).max().orElseThrow();
    double all = Arrays.stream(logits).map(x -> Math.exp(x - largest)).sum();
    double[] probabilities = Arrays.stream(logits).map(x -> Math.exp(x - largest) / all).toArray();
    return new Prediction(
        sample,
        Arrays.stream(logits).boxed().toList(),
        Arrays.stream(probabilities).boxed().toList(),
        IntStream.range(0, logits.length)
            .boxed()
            .sorted(Comparator.comparingDouble(c -> -logits[c]))
            .limit(most)
            .map(
                c ->
                    new Guess(
                        c,
                        c < names.size() ? Optional.of(names.get(c)) : Optional.empty(),
                        probabilities[c]))
            .toList());
  }

  /** As an object of JSON on one line. */
  public String json(String file) {
    return JsonText.line(
        to -> {
          to.writeStringProperty("file", file);
          to.writeNumberProperty("sample", sample);
          to.writeArrayPropertyStart("guesses");
          for (Guess guess : guesses) {
            to.writeStartObject();
            to.writeNumberProperty("class", guess.label());
            guess.name().ifPresent(name -> to.writeStringProperty("name", name));
            JsonText.number(to, "probability", guess.probability());
            to.writeEndObject();
          }
          to.writeEndArray();
        });
  }
}
