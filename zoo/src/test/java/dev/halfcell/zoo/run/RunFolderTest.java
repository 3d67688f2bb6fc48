package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFolderTest {
  private static final LocalDateTime NOW = LocalDateTime.of(2026, 11, 21, 9, 5, 7);

  @TempDir private Path parent;

  @Test
  void freshFoldersOfOneSecondDoNotMeet() {
    RunFolder first = RunFolder.fresh(parent.resolve("runs"), NOW, "lenet5", "O2");
    RunFolder second = RunFolder.fresh(parent.resolve("runs"), NOW, "lenet5", "O2");
    assertEquals(parent.resolve("runs/20261121-090507-lenet5-O2"), first.path());
    assertEquals(parent.resolve("runs/20261121-090507-lenet5-O2-2"), second.path());
    assertTrue(Files.isDirectory(second.path()));
  }

  @Test
  void namedFoldersAreMadeAndLeftEmpty() throws IOException {
    Path path = parent.resolve("a/b");
    RunFolder.at(path);
    RunFolder again = RunFolder.at(path);
    assertEquals(path, again.path());
    try (var files = Files.list(path)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void foldersWithFilesAreRefused() throws IOException {
    Files.writeString(parent.resolve("notes.txt"), "mine");
    var refused = assertThrows(ArgumentException.class, () -> RunFolder.at(parent));
    assertEquals("a folder that holds files", refused.problem().got());
  }

  @Test
  void ofTwoRunsInOneFolderTheSecondIsRefused() throws IOException {
    RunFolder first = RunFolder.at(parent);
    RunFolder second = RunFolder.at(parent);
    first.writePlan("the first");
    var refused = assertThrows(ArgumentException.class, () -> second.writePlan("the second"));
    assertEquals("a folder that another run writes into", refused.problem().got());
    assertEquals("the first", Files.readString(parent.resolve("plan.txt")));
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() throws IOException {
    RunFolder run = RunFolder.at(parent.resolve("run"));
    Files.delete(run.path());
    var gone = assertThrows(DataException.class, () -> run.writePlan("text"));
    assertEquals(parent.resolve("run/plan.txt").toString(), gone.problem().where());
    assertThrows(DataException.class, run::openMetrics);
  }
}
