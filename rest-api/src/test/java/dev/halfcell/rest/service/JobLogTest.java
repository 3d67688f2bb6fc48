package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a job's log is kept and read. */
final class JobLogTest {
  /** Pieces of ten lines, four of them. */
  private static final JobLogWriter.Bounds SMALL = new JobLogWriter.Bounds(100, 4);

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("worker.log");
  }

  private void write(int from, int to) throws IOException {
    try (JobLogWriter writer = JobLogWriter.open(file(), SMALL)) {
      for (int i = from; i < to; i++) {
        writer.write("line %04d\n".formatted(i));
      }
    }
  }

  private static List<String> lines(JobLog log, long from) {
    List<String> lines = new ArrayList<>();
    LogLines reading = new LogLines(log, from);
    assertTrue(reading.read(log.length(), line -> lines.add(line.message())));
    assertTrue(reading.rest(line -> lines.add(line.message())));
    return lines;
  }

  private long kept() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void ofALongLogTheBeginningAndTheNewestLinesAreKeptAndALineSaysSo() throws IOException {
    write(0, 1000);
    JobLog log = new JobLog(file());
    assertEquals(10_000, log.length());
    assertTrue(kept() <= 400, () -> "no more than the four pieces");
    List<String> lines = lines(log, 0);
    assertEquals("line 0000", lines.getFirst());
    assertEquals("line 0009", lines.get(9));
    assertEquals(JobLog.cut(9_600), lines.get(10));
    assertEquals("line 0970", lines.get(11));
    assertEquals("line 0999", lines.getLast());
    assertEquals(41, lines.size());
  }

  @Test
  void placesStayWhatTheyAreWhereTheMiddleWasCutOut() throws IOException {
    write(0, 40);
    JobLog log = new JobLog(file());
    assertEquals("line 0035\n", text(log, 350, 360));
    write(40, 60);
    assertEquals("line 0035\n", text(log, 350, 360));
    assertEquals(300, log.read(150, 600).from());
    assertEquals("line 0059", lines(log, log.startOfLast(1, log.length())).getFirst());
    assertEquals(0, log.startOfLast(1000, log.length()));
  }

  private static String text(JobLog log, long from, long to) {
    return new String(log.read(from, to).bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aLineThatAKilledServerLeftHalfIsEnded() throws IOException {
    Files.writeString(file(), "half a li");
    write(0, 1);
    assertEquals(List.of("half a li", "line 0000"), lines(new JobLog(file()), 0));
  }

  @Test
  void whatAnEarlierVersionLeftIsReadAsItIs() throws IOException {
    Files.writeString(file(), "x".repeat(5000) + "\nlast\u001b[0m");
    write(0, 20);
    assertEquals("last [0m", lines(new JobLog(file()), 0).get(1));
    assertEquals("line 0019", lines(new JobLog(file()), 0).getLast());
  }

  @Test
  void aLineSaysWhenHowMuchAndWhoseItIs() {
    LogLine line =
        new LogLine(
            Optional.of(Instant.parse("2026-11-22T22:00:00.120Z")),
            LogLevel.ERROR,
            Optional.of(2),
            Optional.of(30L),
            Optional.of("ab".repeat(16)),
            "it broke: attempt=9");
    assertEquals(
        "2026-11-22T22:00:00.120Z ERROR attempt=2 step=30 trace="
            + "ab".repeat(16)
            + " it broke: attempt=9",
        line.text());
    assertEquals(line, LogLine.parse(line.text()));
    for (String odd :
        List.of(
            "",
            "one",
            "2026-99-22T22:00:00.120Z ERROR attempt=2 x",
            "2026-11-22T22:00:00.120Z ERROR attempt=x y")) {
      assertEquals(LogLine.plain(LogLevel.INFO, odd), LogLine.parse(odd));
      assertEquals(odd, LogLine.parse(odd).text());
    }
  }
}
