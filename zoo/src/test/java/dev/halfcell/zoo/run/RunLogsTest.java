package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.DataException;
import dev.halfcell.zoo.job.LogFormat;
import dev.halfcell.zoo.log.BoardReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunLogsTest {
  @TempDir private Path path;

  /** A checkpoint counts on it: nobody writes the steps before it again. */
  @Test
  void allOfThemHoldWhatWasToldWhenForceReturns() throws IOException {
    RunFolder folder = new RunFolder(path);
    List<LogFormat> both = List.of(LogFormat.CSV, LogFormat.TENSORBOARD);
    try (RunLogs logs = RunLogs.open(folder, both, Optional.empty())) {
      logs.listeners().forEach(log -> log.on(Steps.clean(1, 2.5, 4)));
      assertEquals(logs.force(), Files.size(folder.metrics()));
      assertEquals(1, Files.readAllLines(folder.metrics()).size());
      assertEquals(2, Files.readAllLines(folder.table()).size());
      assertEquals(Map.of(1L, "2.5"), BoardReader.drawn(path).get("train/loss"));
    }
  }

  @Test
  void whatIsNotAskedForIsNotWritten() {
    RunFolder folder = new RunFolder(path);
    try (RunLogs logs = RunLogs.open(folder, List.of(), Optional.empty())) {
      assertEquals(1, logs.listeners().size());
    }
    assertFalse(Files.exists(folder.table()));
  }

  @Test
  void aLogThatCannotBeOpenedIsNamed() throws IOException {
    RunFolder folder = new RunFolder(path);
    Files.createDirectory(folder.table());
    List<LogFormat> table = List.of(LogFormat.CSV);
    DataException refused =
        assertThrows(
            DataException.class, () -> RunLogs.open(folder, table, Optional.empty()).close());
    assertEquals(folder.table().toString(), refused.problem().where());
  }
}
