package dev.halfcell.rest.service;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Which steps of a run overflowed, and what overflowed first in them. One thread. */
public final class OverflowReport {
  private final Map<Place, Offences> offenders = new LinkedHashMap<>();
  private long steps;
  private long overflows;
  private long skipped;
  private long scaleChanges;
  private OptionalLong firstOverflow = OptionalLong.empty();
  private OptionalLong lastOverflow = OptionalLong.empty();
  private double scale = Double.NaN;
  private double lowestScale = Double.NaN;
  private double highestScale = Double.NaN;

  /** What was not finite. */
  public record Place(String path, String op, String direction, String dtype, String kind) {}

  /** In which steps, and how near to zero it was. */
  public record Offences(
      long steps, long firstStep, long lastStep, double zeros, double subnormals) {
    private Offences and(Offences later) {
      return new Offences(
          steps + later.steps,
          firstStep,
          later.lastStep,
          greater(zeros, later.zeros),
          greater(subnormals, later.subnormals));
    }

    private static double greater(double a, double b) {
      return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }
  }

  private OverflowReport() {}

  /** That of a run. */
  public static OverflowReport read(Path metrics) {
    OverflowReport report = new OverflowReport();
    StepRows.read(metrics, report::add);
    return report;
  }

  private void add(StepRow row) {
    if (row.step().isEmpty()) {
      return;
    }
    long step = row.step().get();
    steps++;
    if (!row.applied()) {
      skipped++;
    }
    scale(row);
    if (row.overflow()) {
      overflows++;
      firstOverflow = firstOverflow.isPresent() ? firstOverflow : OptionalLong.of(step);
      lastOverflow = OptionalLong.of(step);
    }
    row.offender()
        .ifPresent(
            seen ->
                offenders.merge(
                    new Place(seen.path(), seen.op(), seen.direction(), seen.dtype(), seen.kind()),
                    new Offences(1, step, step, seen.zeros(), seen.subnormals()),
                    Offences::and));
  }

  private void scale(StepRow row) {
    double used = row.value("scale");
    double next = row.value("next_scale");
    if (Double.isFinite(used)) {
      lowestScale = Double.isNaN(lowestScale) ? used : Math.min(lowestScale, used);
      highestScale = Double.isNaN(highestScale) ? used : Math.max(highestScale, used);
    }
    if (Double.isFinite(next)) {
      scaleChanges += Double.isFinite(used) && next != used ? 1 : 0;
      scale = next;
    }
  }

  /** All steps so far. */
  public long steps() {
    return steps;
  }

  /** Those that overflowed. */
  public long overflows() {
    return overflows;
  }

  /** Those that moved no parameter. */
  public long skipped() {
    return skipped;
  }

  /** How often the loss scale changed. */
  public long scaleChanges() {
    return scaleChanges;
  }

  /** The first that overflowed. */
  public OptionalLong firstOverflow() {
    return firstOverflow;
  }

  /** The last that overflowed. */
  public OptionalLong lastOverflow() {
    return lastOverflow;
  }

  /** The loss scale now. */
  public OptionalDouble scale() {
    return finite(scale);
  }

  /** The lowest that a step was computed with. */
  public OptionalDouble lowestScale() {
    return finite(lowestScale);
  }

  /** The highest. */
  public OptionalDouble highestScale() {
    return finite(highestScale);
  }

  private static OptionalDouble finite(double value) {
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** What was first not finite, the most frequent first. */
  public List<Map.Entry<Place, Offences>> offenders() {
    return offenders.entrySet().stream()
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().steps()))
        .toList();
  }
}
