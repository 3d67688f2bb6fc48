package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What worker passes on, prints and ends with; what it starts is a double. */
final class WorkerCommandTest {
  private static final String[] SHARED = {
    "worker", "--store=postgres://db/jobs", "--artifacts=shared"
  };

  /** A program whose server says when it is closed. */
  static final class TrainingProgram {
    private TrainingProgram() {}

    private record Drained() implements JobTrainer {
      @Override
      public String name() {
        return "here";
      }

      @Override
      public int slots() {
        return 2;
      }

      @Override
      public void close() {
        System.out.println("drained");
      }
    }

    public static void main(String[] arguments) {
      JobTrainer.Starter starter = _ -> new Drained();
      System.exit(new Program(Console.ofProcess(), LocalJobServer::start, starter).run(SHARED));
    }
  }

  @Test
  @Tag("process")
  void aSignalDrainsTheServer() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TrainingProgram.class.getName())
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("Training jobs of the queue as server here, 2 at a time.", out.readLine());
      new ProcessBuilder("kill", "-TERM", String.valueOf(process.pid())).start().waitFor();
      assertEquals("drained", out.readLine());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it does not end");
      assertEquals(0, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aServerThatRefusesToStartIsOneLine() {
    StringWriter err = new StringWriter();
    Console console = new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), false);
    JobTrainer.Starter refusing =
        _ -> {
          throw new ArgumentException("--data", "a folder that no other server has", "taken");
        };
    assertEquals(2, new Program(console, LocalJobServer::start, refusing).run(SHARED));
    assertEquals(
        "halfcell: [--data]: expected a folder that no other server has, got taken.\n",
        err.toString());
  }

  @Test
  void optionsReachTheServer() {
    WorkerOptions options = new WorkerOptions();
    new CommandLine(options)
        .parseArgs(
            "--data=d",
            "--workers=2",
            "--settings=s",
            "--artifacts=a",
            "--store=postgres://user@db:5432/jobs");
    assertEquals(Path.of("d"), options.data());
    assertEquals(Optional.of(2), options.workers());
    assertEquals(Optional.of(Path.of("s")), options.settings());
    assertEquals(Path.of("a"), options.artifacts());
    assertEquals("postgres://user@db:5432/jobs", options.store());
    WorkerOptions usual = new WorkerOptions();
    new CommandLine(usual).parseArgs("--store=postgres://db/jobs", "--artifacts=a");
    assertEquals(Path.of("halfcell-worker"), usual.data());
    assertEquals(Optional.empty(), usual.workers());
  }

  @ParameterizedTest
  @CsvSource({
    "--store=sqlite --artifacts=a,                     --store, of one server alone",
    "--store=mysql://a/b --artifacts=a,                --store, postgres://HOST/NAME",
    "--store=postgres://u:s3cret@h/d --artifacts=a,    --store, without the password",
    "--store=postgres://h/d,                           --artifacts, Missing",
    "--artifacts=a,                                    --store, Missing",
    "--store=postgres://h/d --artifacts=a --workers=0, --workers, from 1",
    "--store=postgres://h/d --artifacts=a --port=1,    --port, Unknown",
  })
  void badOptionsAreRefused(String options, String first, String second) {
    assertRefused(CommandLineRun.of(("worker " + options).split(" ")), first, second);
  }

  private static void assertRefused(CommandLineRun run, String first, String second) {
    assertEquals(2, run.exitCode(), run.err());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().contains(first) && run.err().contains(second), run.err());
    assertFalse(run.err().contains("s3cret"), run.err());
  }

  /** Nobody else would find what a job has saved; nothing is opened or written before. */
  @Test
  void serveWithASharedQueueWantsASharedFolder() {
    CommandLineRun run = CommandLineRun.of("serve", "--store=postgres://127.0.0.1:1/jobs");
    assertRefused(run, "--artifacts", "all its servers see");
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "worker"})
  void whatDoesNotAnswerIsNamed(String command, @TempDir Path folder) {
    CommandLineRun run =
        CommandLineRun.of(
            command,
            "--store=postgres://127.0.0.1:1/jobs",
            "--artifacts=" + folder.resolve("shared"),
            "--data=" + folder.resolve("own"));
    assertEquals(6, run.exitCode(), run.err());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().contains("127.0.0.1:1/jobs"), run.err());
  }
}
