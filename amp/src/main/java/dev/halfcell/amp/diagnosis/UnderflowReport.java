package dev.halfcell.amp.diagnosis;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What half loses of the gradients of one batch, which were computed in FP32 arithmetic: what it
 * flushes to 0, what it holds as subnormal numbers, with fewer bits, and the loss scale that would
 * lose the least. Gradients of activations are what a cell in half passes on in half; gradients of
 * parameters leave their kernels in FP32 at every level and show what half would make of them.
 *
 * @param half the 16-bit dtype
 * @param scale the loss scale that the figures are of
 * @param rows the cells and their parameters, in the order of the network
 */
public record UnderflowReport(DType half, double scale, List<Row> rows) {
  /**
   * The gradients of one cell's activations, or of one parameter.
   *
   * @param path the cell or parameter
   * @param parameter whether this is a parameter
   * @param inHalf whether the precision plan has half compute here
   * @param exponents the gradients without a loss scale
   */
  public record Row(CellPath path, boolean parameter, boolean inHalf, Exponents exponents) {}

  public UnderflowReport {
    rows = List.copyOf(rows);
  }

  /** The gradients that are passed on in half, together. */
  public Exponents passedInHalf() {
    Exponents all = new Exponents();
    rows.stream()
        .filter(row -> row.inHalf() && !row.parameter())
        .forEach(row -> all.add(row.exponents()));
    return all;
  }

  /**
   * The least power of two, from 1 on, that loses as few bits of what is passed in half as any that
   * does not overflow; below 1 where 1 overflows; none where there is nothing to lose.
   */
  public OptionalDouble bestScale() {
    Exponents all = passedInHalf();
    if (all.nonZero() == 0) {
      return OptionalDouble.empty();
    }
    double highest = 0x1p126;
    while (all.overflows(half, highest)) {
      highest /= 2;
    }
    double best = highest;
    long least = all.lostBits(half, highest);
    while (best > 1 && all.lostBits(half, best / 2) == least) {
      best /= 2;
    }
    return OptionalDouble.of(best);
  }

  /** The report as text. */
  public String text() {
    return new UnderflowText(this).text();
  }

  /** The report as a JSON object. */
  public String json() {
    return new UnderflowJson(this).text();
  }

  /** How many gradients passed in half have each exponent. */
  Map<Integer, Long> histogram() {
    return passedInHalf().counts();
  }
}
