package dev.halfcell.rest.service;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The steps of a run as lines of CSV. */
public final class StepTable {
  private static final List<String> NUMBERS =
      List.of("loss", "scale", "next_scale", "lr", "step_ms", "data_wait_ms");

  /** Its first line. */
  public static final String HEADER = "step,epoch,overflow,applied," + String.join(",", NUMBERS);

  private StepTable() {}

  /** Tells of each line behind the first. What is not finite is empty. */
  public static void read(Path metrics, long from, long to, Consumer<String> told) {
    StepRows.read(
        metrics,
        row ->
            row.step()
                .filter(step -> step >= from && step <= to)
                .ifPresent(step -> told.accept(line(step, row))));
  }

  private static String line(long step, StepRow row) {
    return Stream.concat(
            Stream.of(
                Long.toString(step),
                Integer.toString(row.epoch()),
                Boolean.toString(row.overflow()),
                Boolean.toString(row.applied())),
            NUMBERS.stream().map(name -> text(row.value(name))))
        .collect(Collectors.joining(","));
  }

  private static String text(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }
}
