package dev.halfcell.rest.worker;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * What became of one step of a job that was run again op by op: what first was not finite, and what
 * half loses of its gradients.
 *
 * @param values the file of the run that the values were read from
 * @param step the step whose batch was saved, counted from 1; none where the batch is the first of
 *     the data
 * @param scale the loss scale
 * @param offender what first was not finite; none where all is
 * @param demoted the cells that the step itself had moved to FP32
 * @param half the 16-bit dtype that the gradients are counted for
 * @param bestScale the loss scale that would lose the least; none where nothing can underflow
 * @param gradients those of the cells and parameters, in the order of the network
 */
public record StepDiagnosis(
    String values,
    Optional<Long> step,
    double scale,
    Optional<NotFinite> offender,
    List<String> demoted,
    String half,
    Optional<Double> bestScale,
    List<Gradients> gradients) {
  public StepDiagnosis {
    requireNonNull(values);
    requireNonNull(half);
    demoted = List.copyOf(demoted);
    gradients = List.copyOf(gradients);
  }

  /**
   * What first was not finite.
   *
   * @param path the cell, or the value's own path
   * @param op the op's name; {@code input} or the kind of the value where it is no op
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
   * The gradients of one cell's activations or of one parameter, in FP32 and without a loss scale.
   *
   * @param path the cell or the parameter
   * @param parameter whether it is a parameter
   * @param inHalf whether the precision plan has half compute here
   * @param elements how many there are
   * @param zeros those that are 0 in FP32 too
   * @param nonFinite those that are not finite in FP32 either
   * @param flushed those that half makes 0 at the loss scale
   * @param subnormal those that half holds with fewer bits then
   * @param leastExponent the exponent of the first count: |x| from 2^e to below 2^(e+1)
   * @param counts how many have that exponent, the next, and so on; empty where all are 0
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
      requireNonNull(path);
      counts = List.copyOf(counts);
    }
  }
}
