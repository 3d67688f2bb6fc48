package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.run.Ending;
import dev.halfcell.zoo.run.RunFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailureTest {
  private static final Problem PROBLEM = new Problem("x", "", "one", "two", "Take one.");

  @Test
  void whatTheCallerCanChangeEndsWith2() {
    assertEquals(2, new Failure(new ArgumentException(PROBLEM)).exitCode());
    assertEquals(2, new Failure(new ShapeException(PROBLEM)).exitCode());
    assertEquals(1, new Failure(new UsageException(PROBLEM)).exitCode());
  }

  @Test
  void valuesThatAreNotFiniteEndWith5DisksAndDataWith6MemoryWith7() {
    assertEquals(5, new Failure(new NonFiniteException(PROBLEM)).exitCode());
    IOException full = new IOException("No space left on device");
    assertEquals(6, new Failure(new DataException(PROBLEM)).exitCode());
    assertEquals(6, new Failure(full).exitCode());
    assertEquals(6, new Failure(new UncheckedIOException(full)).exitCode());
    assertEquals(7, new Failure(new MemoryException(PROBLEM)).exitCode());
    OutOfMemoryError heap = new OutOfMemoryError("Java heap space");
    assertEquals(7, new Failure(heap).exitCode());
    Failure unlinked = new Failure(new BootstrapMethodError(new IllegalArgumentException(heap)));
    assertEquals(7, unlinked.exitCode());
    assertEquals(new Failure(heap).line(), unlinked.line());
  }

  @Test
  void aTrainingThatFailsHasTheCodeOfItsReasonAndSaysWhatIsLeft(@TempDir Path folder)
      throws IOException {
    RunFolder run = new RunFolder(folder);
    Failure early = new Failure(new UnfinishedTraining(new DataException(PROBLEM), run));
    assertEquals(6, early.exitCode());
    assertEquals("[x]: expected one, got two. Take one. No checkpoint was saved.", early.line());
    Path checkpoint = folder.resolve("checkpoints/step-000000000007.safetensors");
    Files.createDirectories(checkpoint.getParent());
    Files.createFile(checkpoint);
    Failure late = new Failure(new UnfinishedTraining(new OutOfMemoryError("heap"), run));
    assertEquals(7, late.exitCode());
    assertTrue(late.line().startsWith("too little memory: heap. "), late.line());
    assertTrue(late.line().endsWith(" Its last checkpoint is " + checkpoint + "."), late.line());
  }

  @Test
  void checkpointsThatCannotBeReadDoNotHideWhyATrainingFailed(@TempDir Path folder)
      throws IOException {
    Files.createFile(folder.resolve("checkpoints"));
    DataException why = new DataException(PROBLEM);
    Failure failure = new Failure(new UnfinishedTraining(why, new RunFolder(folder)));
    assertTrue(failure.line().startsWith("[x]: expected one"), failure.line());
    assertTrue(failure.line().endsWith(" Its checkpoints cannot be read."), failure.line());
    assertEquals(1, why.getSuppressed().length);
    assertSame(why, failure.cause());
  }

  private static final TrainEvent EPOCH = new TrainEvent.EpochStarted(1, 1, 2);

  private static RuntimeException failure(
      RunFolder run, boolean begun, Function<TrainListener, Ending> training) {
    return assertThrows(
        RuntimeException.class, () -> UnfinishedTraining.unless(run, begun, _ -> {}, training));
  }

  /** Until it has begun the folder may be another run's, and so are the checkpoints in it. */
  @Test
  void anArgumentThatATrainingRefusesIsSaidWithItsLastCheckpointOnceItHasBegun(@TempDir Path folder)
      throws IOException {
    RunFolder run = new RunFolder(folder);
    Path checkpoint = folder.resolve("checkpoints/step-000000000007.safetensors");
    Files.createDirectories(checkpoint.getParent());
    Files.createFile(checkpoint);
    ArgumentException why = new ArgumentException(PROBLEM);
    Function<TrainListener, Ending> refusing =
        _ -> {
          throw why;
        };
    Function<TrainListener, Ending> failing =
        told -> {
          told.on(EPOCH);
          throw why;
        };
    assertSame(why, failure(run, false, refusing));
    for (RuntimeException late :
        List.of(failure(run, true, refusing), failure(run, false, failing))) {
      Failure failure = new Failure(late);
      assertSame(why, failure.cause());
      assertEquals(2, failure.exitCode());
      assertEquals(
          "[x]: expected one, got two. Take one. Its last checkpoint is " + checkpoint + ".",
          failure.line());
    }
  }

  @Test
  void whoListensToATrainingIsToldOfIt(@TempDir Path folder) {
    List<TrainEvent> told = new ArrayList<>();
    Ending ending = new Ending.Interrupted(3, folder);
    assertSame(
        ending,
        UnfinishedTraining.unless(
            new RunFolder(folder),
            false,
            told::add,
            listener -> {
              listener.on(EPOCH);
              return ending;
            }));
    assertEquals(List.of(EPOCH), told);
  }

  @Test
  void theLineSaysWhatIsWrong() {
    assertEquals(
        "[x]: expected one, got two. Take one.", new Failure(new DataException(PROBLEM)).line());
    assertEquals(
        "/a: No space left",
        new Failure(new UncheckedIOException(new FileSystemException("/a", null, "No space left")))
            .line());
    assertEquals("/a: AccessDeniedException", new Failure(new AccessDeniedException("/a")).line());
    assertEquals("IOException: disk full", new Failure(new IOException("disk full")).line());
  }

  private static CommandLineRun listWithoutMemory(String... more) {
    StringWriter err = new StringWriter();
    Writer out =
        new StringWriter() {
          @Override
          public void write(String text, int from, int length) {
            throw new LinkageError("no library");
          }
        };
    Console console = new Console(new PrintWriter(out), new PrintWriter(err), false);
    String[] arguments = new String[1 + more.length];
    arguments[0] = "list";
    System.arraycopy(more, 0, arguments, 1, more.length);
    return new CommandLineRun(new Program(console).run(arguments), "", err.toString());
  }

  @Test
  void anErrorOfTheMachineIsALineToo() {
    CommandLineRun run = listWithoutMemory();
    assertEquals(1, run.exitCode());
    assertEquals("halfcell: LinkageError: no library\n", run.err());
  }

  @Test
  void theStackTraceIsPrintedOnRequest() {
    CommandLineRun run = listWithoutMemory("--stacktrace");
    assertTrue(run.err().contains("\tat dev.halfcell.cli.ListCommand"), run.err());
    assertFalse(listWithoutMemory().err().contains("\tat "));
  }
}
