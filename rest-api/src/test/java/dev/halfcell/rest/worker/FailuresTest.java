package dev.halfcell.rest.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.worker.FromWorker.Failed;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.NonFiniteException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a job's owner is told of what its training threw. */
final class FailuresTest {
  private static final Failures FAILURES =
      new Failures(Path.of("/srv/jobs/ab/run"), Optional.of("/srv/data"));

  private static Problem at(String where) {
    return new Problem("Conv2d", where, "this", "that", "");
  }

  private static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(new ArgumentException(at("")), "argument", Code.TRAINING_FAILED),
        Arguments.of(new ArgumentException(at("/srv/data")), "data", Code.TRAINING_FAILED),
        Arguments.of(new ShapeException(at("/a")), "shape", Code.TRAINING_FAILED),
        Arguments.of(new DataException(at("")), "data", Code.TRAINING_FAILED),
        Arguments.of(
            new UncheckedIOException(new IOException("full")), "data", Code.TRAINING_FAILED),
        Arguments.of(new MemoryException(at("")), "memory", Code.OUT_OF_MEMORY),
        Arguments.of(new OutOfMemoryError("heap"), "memory", Code.OUT_OF_MEMORY),
        Arguments.of(new NonFiniteException(at("")), "non-finite", Code.TRAINING_FAILED),
        Arguments.of(new IllegalStateException("defect"), "internal", Code.TRAINING_FAILED),
        Arguments.of(new StackOverflowError(), "internal", Code.TRAINING_FAILED));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void eachKindHasItsWord(Throwable thrown, String type, Code code) {
    Failed failed = FAILURES.of(thrown, false, 5);
    assertEquals(type, failed.type());
    assertEquals(code, failed.code());
    assertEquals(Optional.of(5L), failed.step());
    assertEquals(thrown instanceof OutOfMemoryError, failed.outOfMemory());
  }

  @Test
  void whatCannotBeRestoredHasNoUsableCheckpoint() {
    assertEquals(Code.NO_USABLE_CHECKPOINT, FAILURES.of(new DataException(at("")), true, 0).code());
    assertEquals(Code.OUT_OF_MEMORY, FAILURES.of(new OutOfMemoryError(), true, 0).code());
  }

  @Test
  void codeThatAFullHeapKeptFromBeingLinkedIsNoDefect() {
    OutOfMemoryError heap = new OutOfMemoryError("heap");
    Throwable unlinked = new BootstrapMethodError(new IllegalArgumentException(heap));
    assertEquals(FAILURES.of(heap, false, 5), FAILURES.of(unlinked, false, 5));
  }

  @Test
  void whereTheDataIsIsNotToldButItsNameIs() {
    Problem problem = new Problem("Dataset", "", "embedded data", "/srv/data/x", "");
    DataException thrown = new DataException(problem);
    String hidden = FAILURES.of(thrown, false, 0).detail();
    assertTrue(hidden.contains("the data folder/x"), hidden);
    Failures named = new Failures(Path.of("/srv/jobs/ab/run"), Optional.of("embedded"));
    String told = named.of(thrown, false, 0).detail();
    assertTrue(told.contains("embedded data"), told);
  }

  @Test
  void slashesThatSayNothingDoNotGiveTheDataAway() {
    DataException thrown = new DataException(new Problem("Dataset", "", "data", "/srv/data/x", ""));
    for (String place : new String[] {"/srv/data/", "/srv//data"}) {
      Failures failures = new Failures(Path.of("/run"), Optional.of(place));
      String told = failures.of(thrown, false, 0).detail();
      assertTrue(told.endsWith("got the data folder/x."), told);
    }
  }

  @Test
  void theCellIsTold() {
    assertEquals(
        Optional.of("/conv1"), FAILURES.of(new ShapeException(at("/conv1")), false, 0).cell());
    assertTrue(FAILURES.of(new DataException(at("/srv/x")), false, 0).cell().isEmpty());
    assertTrue(FAILURES.of(new ArgumentException(at("/srv/data")), false, 0).cell().isEmpty());
  }

  @Test
  void noPathOfTheServerIsTold() {
    for (String file :
        new String[] {"/srv/jobs/ab/run/model.safetensors", "/srv/jobs/ab/run", "/srv/data/x"}) {
      String detail = FAILURES.of(new DataException(at(file)), false, 0).detail();
      assertFalse(detail.contains("/srv"), detail);
    }
  }

  @Test
  void longTextsAreCut() {
    Failed failed = FAILURES.of(new DataException(at("x".repeat(10_000))), false, 0);
    assertEquals(Failed.LONGEST, failed.detail().length());
  }
}
