package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.tensor.ArgumentException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class FailureLineTest {
  private final StringWriter said = new StringWriter();

  @Command(name = "timer")
  private static final class Nothing {}

  private int code(Exception failure) throws Exception {
    CommandLine line = new CommandLine(new Nothing()).setErr(new PrintWriter(said, true));
    return new FailureLine().handleExecutionException(failure, line, line.parseArgs());
  }

  @Test
  void aMistakeOfTheUserIsOneLineAndUsage() throws Exception {
    assertEquals(2, code(new ArgumentException("--level", "O0 or O2", "O7")));
    assertEquals(1, said.toString().lines().count(), said.toString());
    assertEquals("timer: ", said.toString().substring(0, 7));
  }

  @Test
  void aFailureOfTheMachineIsOneLine() throws Exception {
    assertEquals(1, code(new IOException("the disk is full")));
    assertEquals("timer: java.io.IOException: the disk is full", said.toString().strip());
  }

  @Test
  void aFailureOfOursStaysOne() {
    assertThrows(IllegalStateException.class, () -> code(new IllegalStateException("a bug")));
  }
}
