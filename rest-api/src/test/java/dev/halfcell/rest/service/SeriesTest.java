package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sampled series, point by point beside all of its steps. */
final class SeriesTest {
  @TempDir private Path folder;

  @Tag("MLflow-1571")
  @Tag("MLflow-24169")
  @Tag("MLflow-11444")
  @ParameterizedTest
  @CsvSource({
    "1, 4",
    "2, 4",
    "9, 9",
    "10, 9",
    "99, 10",
    "100, 100",
    "101, 100",
    "997, 4",
    "4096, 50",
    "5000, 2000",
    "5003, 64",
    "100000, 2000"
  })
  void everyPointSaysAllOfItsSteps(int steps, int most) throws IOException {
    double[] losses = new Random(steps).doubles(steps).toArray();
    StringBuilder lines = new StringBuilder();
    for (int step = 1; step <= steps; step++) {
      lines
          .append("{\"step\":%d,\"epoch\":1,\"loss\":%s".formatted(step, losses[step - 1]))
          .append(",\"overflow\":%b}\n".formatted(step % 3 == 0));
    }
    Path file = Files.writeString(folder.resolve("metrics.jsonl"), lines);

    Series series = Series.read(file, 1, Long.MAX_VALUE, most);

    assertEquals(steps, series.steps());
    assertTrue(series.points().size() <= most, () -> series.points().size() + " points");
    assertEquals(steps > most, series.sampled());
    int from = 0;
    for (Point point : series.points()) {
      int to = Math.toIntExact(point.lastStep());
      assertEquals(to - from, point.steps());
      assertEquals(to / 3 - from / 3, point.overflows());
      Point.Range loss = point.range("loss").orElseThrow();
      double[] own = Arrays.copyOfRange(losses, from, to);
      assertEquals(own[own.length - 1], loss.last());
      assertEquals(Arrays.stream(own).min().orElseThrow(), loss.least());
      assertEquals(Arrays.stream(own).max().orElseThrow(), loss.greatest());
      from = to;
    }
    assertEquals(steps, from);
    assertEquals(1, series.points().getFirst().steps());
    assertEquals(1, series.points().getLast().steps());
  }
}
