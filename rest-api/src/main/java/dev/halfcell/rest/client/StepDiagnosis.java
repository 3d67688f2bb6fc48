package dev.halfcell.rest.client;

import java.util.List;
import java.util.Optional;

/**
 * What became of a step that was run again, op by op.
 *
 * @param job whose step it is
 * @param values the file of its run that the values were read from
 * @param step the step whose batch was saved; none where the batch is the first of the data
 * @param scale the loss scale
 * @param milliseconds what all of it took
 * @param offender what first was not finite; none where all is
 * @param demoted the cells that the step moved to FP32
 * @param half the 16-bit dtype that gradients are counted for
 * @param bestScale the loss scale that loses the least; none where nothing is passed on in half
 * @param gradients those of each cell and parameter
 */
public record StepDiagnosis(
    String job,
    String values,
    Optional<Long> step,
    double scale,
    long milliseconds,
    Optional<NotFinite> offender,
    List<String> demoted,
    String half,
    Optional<Double> bestScale,
    List<Gradients> gradients) {
  public StepDiagnosis {
    demoted = List.copyOf(demoted);
    gradients = List.copyOf(gradients);
  }

  /**
   * What first was not finite.
   *
   * @param path the cell, or the value's own path
   * @param op the op's name
   * @param direction the part of the step
   * @param dtype of what it gave
   * @param kind the worst kind of value in it
   * @param zeros the share of its values that are 0
   * @param subnormals the share that is held with fewer bits
   */
  public record NotFinite(
      String path,
      String op,
      String direction,
      String dtype,
      String kind,
      double zeros,
      double subnormals) {}

  /**
   * Gradients of one cell's activations or of one parameter, in FP32 and without a loss scale.
   *
   * @param path the cell or the parameter
   * @param parameter whether it is a parameter
   * @param inHalf whether half computes here
   * @param elements how many there are
   * @param zeros those that are 0 in FP32 too
   * @param nonFinite those that are not finite in FP32 either
   * @param flushed those that half makes 0 at the loss scale
   * @param subnormal those that half holds with fewer bits then
   * @param leastExponent the exponent e of the first count: 2^e up to below 2^(e+1)
   * @param counts how many have that exponent, the next, and so on
   */
  public record Gradients(
      String path,
      boolean parameter,
      boolean inHalf,
      long elements,
      long zeros,
      long nonFinite,
      long flushed,
      long subnormal,
      int leastExponent,
      List<Long> counts) {
    public Gradients {
      counts = List.copyOf(counts);
    }
  }
}
