package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

final class FailureTest {
  private static final Problem PROBLEM = new Problem("x", "", "one", "two", "Take one.");

  @Test
  void whatTheCallerCanChangeEndsWith2() {
    assertEquals(2, new Failure(new ArgumentException(PROBLEM)).exitCode());
    assertEquals(2, new Failure(new DataException(PROBLEM)).exitCode());
    assertEquals(2, new Failure(new ShapeException(PROBLEM)).exitCode());
    assertEquals(1, new Failure(new UsageException(PROBLEM)).exitCode());
    assertEquals(1, new Failure(new IOException("disk full")).exitCode());
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
