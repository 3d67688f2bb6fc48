package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Optional;
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

  private static final JobSpecification JOB = JobSpecification.of("lenet5");
  private static final RunPlace PLACE = new RunPlace(Optional.of("embedded"), 40);

  @Test
  void aFolderThatAnotherRunBeganMeanwhileIsRefused() throws IOException {
    RunFolder first = RunFolder.at(parent);
    RunFolder second = RunFolder.at(parent);
    first.begin("the first", PLACE, JOB);
    var refused =
        assertThrows(ArgumentException.class, () -> second.begin("the second", PLACE, JOB));
    assertEquals("a folder that holds files", refused.problem().got());
    assertEquals("the first", Files.readString(parent.resolve("plan.txt")));
  }

  /** Without a specification nothing can have been trained. */
  @Test
  void whatARunLeftThatNeverBeganIsWrittenOver() throws IOException {
    Files.writeString(parent.resolve("plan.txt"), "old");
    Files.writeString(parent.resolve("run.json"), "{");
    Files.writeString(parent.resolve(".specification.json.17.partial"), "{");
    RunFolder.at(parent).lock().close();
    RunFolder run = RunFolder.at(parent);
    run.deleteLeftovers();
    run.begin("new", PLACE, JOB);
    assertEquals("new", Files.readString(parent.resolve("plan.txt")));
    assertEquals(PLACE, run.place());
    assertEquals(JOB, run.specification());
    assertFalse(Files.exists(parent.resolve(".specification.json.17.partial")));
    assertThrows(ArgumentException.class, () -> RunFolder.at(parent));
  }

  @Test
  void aFolderIsHeldByOneRunOfAProcessAtATime() {
    RunFolder run = RunFolder.at(parent);
    for (int time = 0; time < 2; time++) {
      try (RunLock _ = run.lock()) {
        RunFolder same = new RunFolder(parent.resolve("../" + parent.getFileName()));
        var refused = assertThrows(ArgumentException.class, same::lock);
        assertTrue(refused.problem().got().contains("this process"), refused.getMessage());
      }
    }
  }

  /** A run that was received may have a link to a file of its new owner's. */
  @Test
  void aLockThatIsALinkIsRefusedAndItsTargetKeepsItsBytes() throws IOException {
    RunFolder run = RunFolder.at(parent.resolve("run"));
    Path notes = Files.writeString(parent.resolve("notes"), "mine");
    Path link = Files.createSymbolicLink(run.path().resolve(".lock"), notes);
    var refused = assertThrows(DataException.class, run::lock);
    assertEquals(link.toString(), refused.problem().where());
    assertEquals("mine", Files.readString(notes));
    Files.delete(link);
    run.lock().close();
  }

  @Test
  void aLockThatIsAFolderOrAPipeIsRefusedAtOnce() throws IOException, InterruptedException {
    RunFolder run = RunFolder.at(parent.resolve("run"));
    Path lock = Files.createDirectory(run.path().resolve(".lock"));
    var folder = assertThrows(DataException.class, run::lock);
    assertTrue(folder.problem().got().contains("not a regular file"), folder.getMessage());
    Files.delete(lock);
    assertEquals(0, new ProcessBuilder("mkfifo", lock.toString()).start().waitFor());
    var pipe =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> assertThrows(DataException.class, run::lock));
    assertTrue(pipe.problem().got().contains("not a regular file"), pipe.getMessage());
  }

  /** Files of before have what was asked for. */
  @Test
  void aPlaceOfBeforeIsReadAsItIs() throws IOException {
    Path file = parent.resolve("run.json");
    Files.writeString(file, "{\"samples\": 40}");
    assertEquals(new RunPlace(Optional.empty(), 40), RunPlace.read(file));
    Files.writeString(file, "{\"data\": \"fm\", \"samples\": 40}");
    assertEquals(new RunPlace(Optional.of("fm"), 40), RunPlace.read(file));
  }

  @Test
  void aSpecificationThatIsDamagedIsNoWrongArgument() throws IOException {
    RunFolder run = RunFolder.at(parent);
    assertThrows(ArgumentException.class, run::specification);
    run.begin("plan", PLACE, JOB);
    Path file = parent.resolve("specification.json");
    Files.writeString(file, "{\"network\": ");
    var damaged = assertThrows(DataException.class, run::specification);
    assertEquals(file.toString(), damaged.problem().where());
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() throws IOException {
    RunFolder run = RunFolder.at(parent.resolve("run"));
    Files.delete(run.path());
    var gone = assertThrows(DataException.class, () -> run.writePlan("text"));
    assertEquals(parent.resolve("run/plan.txt").toString(), gone.problem().where());
    assertThrows(DataException.class, run::openMetrics);
    assertThrows(DataException.class, run::lock);
  }
}
