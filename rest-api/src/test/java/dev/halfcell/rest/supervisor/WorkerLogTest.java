package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.JobLog;
import dev.halfcell.rest.service.JobLogWriter;
import dev.halfcell.rest.service.LogLevel;
import dev.halfcell.rest.service.LogLine;
import dev.halfcell.rest.service.LogLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What workers print, in the logs of their jobs. */
@Timeout(120)
final class WorkerLogTest {
  @TempDir private Path folder;

  private List<LogLine> pumped(String printed) {
    Path log = folder.resolve("worker.log");
    new LogPump(log, JobLogWriter.USUAL, 3, Optional.of("a".repeat(32)), () -> Optional.of(7L))
        .start(new ByteArrayInputStream(printed.getBytes(StandardCharsets.UTF_8)))
        .finish(Duration.ofSeconds(20));
    return lines(new JobLog(log));
  }

  private static List<LogLine> lines(JobLog log) {
    List<LogLine> lines = new ArrayList<>();
    LogLines reading = new LogLines(log, 0);
    assertTrue(reading.read(log.length(), lines::add));
    return lines;
  }

  @Tag("Ray-46413")
  @Test
  @DisplayName("the last log line missing (Ray 46413)")
  @Tag("process")
  void theLastLineOfAWorkerThatDiesIsThere() {
    WorkerCommand dies = _ -> List.of("sh", "-c", "echo first; printf 'last words'; kill -9 $$");
    try (Rig rig = new Rig(folder, Timing.usual(), dies)) {
      List<JobId> ids = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        ids.add(rig.submit(Rig.tiny(10).with("/retries", 0)));
      }
      for (JobId id : ids) {
        Job job = rig.awaitEnd(id);
        List<LogLine> lines = lines(new JobLog(rig.settings.folders().log(id)));
        assertEquals(List.of("first", "last words"), lines.stream().map(LogLine::message).toList());
        assertTrue(job.failure().orElseThrow().logTail().endsWith("last words"), job::toString);
      }
    }
  }

  /** A disk that is full, or a machine with too many open files, is so for a moment. */
  @Test
  void aLogGoesOnAfterItsNextPieceCouldNotBeOpened() throws Exception {
    Path log = folder.resolve("worker.log");
    JobLogWriter.Bounds each = new JobLogWriter.Bounds(10, 9); // a piece for each line
    try (PipedOutputStream prints = new PipedOutputStream();
        PipedInputStream printed = new PipedInputStream(prints)) {
      LogPump pump = new LogPump(log, each, 1, Optional.empty(), Optional::empty).start(printed);
      print(prints, "first");
      awaitLines(log, 1);
      Path next = folder.resolve("worker.log.%020d".formatted(new JobLog(log).length()));
      Files.createDirectory(next);
      print(prints, "second");
      Rig.sleep(500);
      Files.delete(next);
      print(prints, "third");
      awaitLines(log, 3);
      prints.close();
      pump.finish(Duration.ofSeconds(20));
    }
    List<String> messages = lines(new JobLog(log)).stream().map(LogLine::message).toList();
    assertEquals("first", messages.getFirst());
    assertTrue(messages.get(1).contains("could not be written"), messages::toString);
    assertEquals("third", messages.getLast());
  }

  private static void print(OutputStream to, String line) throws IOException {
    to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    to.flush();
  }

  private static void awaitLines(Path log, int count) {
    while (!Files.exists(log) || lines(new JobLog(log)).size() < count) {
      Rig.sleep(20);
    }
  }

  @Test
  @Tag("process")
  void aWorkerIsPartOfItsJobsTrace() {
    WorkerCommand tells = _ -> List.of("sh", "-c", "echo part of $TRACEPARENT");
    try (Rig rig = new Rig(folder, Timing.usual(), tells)) {
      JobId id = rig.submit(Rig.tiny(10).with("/retries", 0));
      String trace = rig.awaitEnd(id).summary().trace().orElseThrow();
      LogLine line = lines(new JobLog(rig.settings.folders().log(id))).getFirst();
      assertEquals(Optional.of(trace), line.trace());
      assertTrue(
          line.message().matches("part of 00-" + trace + "-[0-9a-f]{16}-01"), line.message());
    }
  }

  @Test
  @Tag("process")
  void aFloodIsReadToItsEndAndKeptWithinItsBounds() throws Exception {
    String floods = "i=0; while [ $i -lt 20000 ]; do echo \"line $i\"; i=$((i+1)); done; exit 3";
    try (Rig rig = new Rig(folder, Timing.usual(), _ -> List.of("sh", "-c", floods))) {
      JobId id = rig.submit(Rig.tiny(10).with("/retries", 0));
      rig.awaitEnd(id);
      List<LogLine> lines = lines(new JobLog(rig.settings.folders().log(id)));
      assertEquals(20_000, lines.size());
      assertEquals("line 19999", lines.getLast().message());
    }
  }

  @Test
  void linesOfLoggersHaveTheirLevelAndOthersAreWarnings() {
    List<LogLine> lines =
        pumped(
            """
            [main] INFO dev.halfcell.rest.worker - goes on\r
            [main] ERROR dev.halfcell.rest.worker - it broke
            java.lang.IllegalStateException: so
            \tat a.B.c(B.java:1)
            Caused by: d
            # A fatal error has been detected

            WARNING: Using incubator modules
            INFO: of Java's own logger\
            """);
    assertEquals(
        List.of("info", "error", "error", "error", "error", "warning", "warning", "info"),
        lines.stream().map(line -> line.level().label()).toList());
    assertEquals("goes on", lines.getFirst().message());
    assertEquals(Optional.of(3), lines.getFirst().attempt());
    assertEquals(Optional.of(7L), lines.getFirst().step());
    assertEquals(Optional.of("a".repeat(32)), lines.getFirst().trace());
  }

  @Test
  void nothingOfItObeysATerminalOrForgesALine() {
    List<LogLine> lines =
        pumped("a\u001b[31mred\u001b[0m\u0007\u0000b\u0085c\u2028d\u202ee\tf\n\u001b]0;t\u0007\n");
    assertEquals("aredbcde\tf", lines.getFirst().message());
    assertEquals("]0;t", lines.get(1).message());
    assertFalse(lines.getFirst().text().chars().anyMatch(c -> c < ' ' && c != '\t'));
    assertEquals(LogLevel.WARNING, lines.get(1).level());
  }

  @Test
  void aLineWithoutEndGoesOnInTheNext() {
    List<LogLine> lines = pumped("x".repeat(40_000));
    assertEquals(3, lines.size());
    assertEquals(40_000, lines.stream().mapToInt(line -> line.message().length()).sum());
  }
}
