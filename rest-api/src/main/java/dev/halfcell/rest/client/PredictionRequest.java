package dev.halfcell.rest.client;

import dev.halfcell.tensor.ArgumentException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a model is asked of.
 *
 * @param inputs samples, all of one shape, as nested lists or arrays of numbers
 * @param pixels whether the numbers are pixels from 0 to 255, to be scaled as those of the data set
 *     are; otherwise they are taken as they are
 * @param top how many of the likeliest classes are told
 * @param level another precision level than the job's
 * @param half another 16-bit dtype than the job's
 */
public record PredictionRequest(
    List<?> inputs, boolean pixels, int top, Optional<String> level, Optional<String> half) {
  private static final int TOP = 3;

  public PredictionRequest {
    ArgumentException.require(!inputs.isEmpty(), "predict", "at least one sample", "none");
    inputs = List.copyOf(inputs);
  }

  /** Images [H, W] of numbers that are taken as they are. */
  public static PredictionRequest of(float[][]... images) {
    return of(List.of(images), false);
  }

  /** Images [H, W] of pixels from 0 to 255. */
  public static PredictionRequest ofPixels(int[][]... images) {
    return of(List.of(images), true);
  }

  private static PredictionRequest of(List<?> inputs, boolean pixels) {
    return new PredictionRequest(inputs, pixels, TOP, Optional.empty(), Optional.empty());
  }

  /** The same at another level. */
  public PredictionRequest atLevel(String other) {
    return new PredictionRequest(inputs, pixels, top, Optional.of(other), half);
  }

  /** The same, told of so many of the likeliest classes. */
  public PredictionRequest withTop(int most) {
    return new PredictionRequest(inputs, pixels, most, level, half);
  }

  String json(String job) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("job", job);
    body.put("inputs", inputs);
    body.put("pixels", pixels);
    body.put("top", top);
    level.ifPresent(said -> body.put("level", said));
    half.ifPresent(said -> body.put("half", said));
    return Json.text(body);
  }
}
