package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static String line(int step, double loss) {
    return "{\"step\":%d,\"epoch\":1,\"loss\":%s,\"overflow\":false}\n".formatted(step, loss);
  }

  private static String lines(int from, int to, double loss) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(step -> line(step, loss + step))
        .collect(Collectors.joining());
  }

  private void assertReadAnew(GrowingSeries growing, Path file, int most) {
    Series series = growing.read(file);
    Series anew = Series.read(file, 0, Long.MAX_VALUE, most);
    assertEquals(anew.steps(), series.steps());
    assertEquals(text(anew), text(series));
    assertEquals(anew.epochs(), series.epochs());
  }

  private static List<String> text(Series series) {
    return series.points().stream()
        .map(
            point ->
                "%d %d %d %s"
                    .formatted(
                        point.lastStep(), point.steps(), point.overflows(), point.range("loss")))
        .toList();
  }

  /** However much was written between two questions, and also in the middle of a line. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 333})
  void whatIsReadOnIsAsIfItWereReadAnew(int chunk) throws IOException {
    byte[] all =
        (lines(1, 60, 0) + "{\"epoch\":1,\"test_accuracy\":0.5}\n" + lines(61, 90, 0))
            .getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve("metrics.jsonl");
    GrowingSeries growing = new GrowingSeries(16);
    assertEquals(0, growing.read(file).steps());
    for (int written = 0; written < all.length; written += chunk) {
      Files.write(file, Arrays.copyOf(all, Math.min(all.length, written + chunk)));
      assertReadAnew(growing, file, 16);
    }
    assertEquals(90, growing.read(file).steps());
    assertEquals(1, growing.read(file).epochs().size());
  }

  /** A run that goes on from a checkpoint writes steps again. */
  @Test
  void stepsThatAreTakenBackAreForgotten() throws IOException {
    Path file = Files.writeString(folder.resolve("metrics.jsonl"), lines(1, 50, 0));
    GrowingSeries growing = new GrowingSeries(1000);
    assertEquals(50, growing.read(file).steps());
    Files.writeString(file, lines(1, 20, 0));
    assertReadAnew(growing, file, 1000);
    Files.writeString(file, lines(1, 10, 0) + lines(11, 80, 0.5));
    assertReadAnew(growing, file, 1000);
    assertEquals(80, growing.read(file).steps());
    Files.delete(file);
    assertEquals(0, growing.read(file).steps());
  }

  @Test
  void aLineThatIsNoneIsToldEachTimeAndCountsNothingTwice() throws IOException {
    Path file = Files.writeString(folder.resolve("metrics.jsonl"), lines(1, 5, 0));
    GrowingSeries growing = new GrowingSeries(1000);
    assertEquals(5, growing.read(file).steps());
    Files.writeString(file, lines(1, 7, 0) + "no line\n");
    assertThrows(IllegalStateException.class, () -> growing.read(file));
    assertThrows(IllegalStateException.class, () -> growing.read(file));
    Files.writeString(file, lines(1, 8, 0));
    assertReadAnew(growing, file, 1000);
  }

  /** Read once, and then what came since. {@code rest-api/goals dashboard} runs it. */
  @Tag("slow")
  @Test
  void aMillionSteps() throws IOException {
    Path file = folder.resolve("metrics.jsonl");
    try (BufferedWriter to = Files.newBufferedWriter(file)) {
      for (int step = 1; step <= 1_000_000; step++) {
        to.write(
            """
            {"step":%d,"epoch":%d,"loss":%s,"scale":65536.0,"next_scale":65536.0,"lr":0.01,\
            "overflow":false,"applied":true,"step_ms":1.2345,"data_wait_ms":0.0123}
            """
                .formatted(step, step / 1000, 1.0 / step));
      }
    }
    KnownSeries known = new KnownSeries();
    JobId job = new JobId("0".repeat(32));
    long began = System.nanoTime();
    Series whole = known.of(job, file, 2000);
    double first = (System.nanoTime() - began) / 1e9;
    System.out.printf("a million steps: %.2f s%n", first);
    assertEquals(1_000_000, whole.steps());
    assertTrue(whole.points().size() <= 2000);
    double least = Double.POSITIVE_INFINITY;
    for (int more = 1; more <= 3; more++) {
      Files.writeString(file, line(1_000_000 + more, 1), StandardOpenOption.APPEND);
      long before = System.nanoTime();
      Series series = known.of(job, file, 2000);
      least = Math.min(least, (System.nanoTime() - before) / 1e9);
      assertEquals(1_000_000 + more, series.steps());
    }
    System.out.printf("and one more: %.4f s%n", least);
    assertTrue(least < first / 10, least + " s beside " + first + " s");
  }
}
