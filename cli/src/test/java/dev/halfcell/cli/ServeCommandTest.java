package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What serve passes on, prints and ends with; the server is a double. */
@Tag("process")
final class ServeCommandTest {
  /** A program whose server says when it is closed, and fails then where it is told to. */
  static final class ServingProgram {
    private ServingProgram() {}

    private record Drained(boolean fails) implements JobServer {
      @Override
      public URI address() {
        return URI.create("http://127.0.0.1:8080");
      }

      @Override
      public void close() {
        System.out.println("drained");
        if (fails) {
          throw new ArgumentException("drain", "an end", "none");
        }
      }
    }

    public static void main(String[] arguments) {
      boolean fails = arguments.length > 0;
      JobServer.Starter starter = _ -> new Drained(fails);
      System.exit(new Program(Console.ofProcess(), starter).run("serve"));
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 0", "TERM, 0", "TERM, 2"})
  void aSignalDrainsTheServer(String signal, int code) throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            "env",
            "--default-signal=INT",
            ProcessHandle.current().info().command().orElse("java"),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ServingProgram.class.getName());
    if (code != 0) {
      command.command().add("fails");
    }
    Process process = command.start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals(
          "Serving jobs at http://127.0.0.1:8080; dashboard: http://127.0.0.1:8080/",
          out.readLine());
      assertTrue(process.isAlive());
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
      assertEquals("drained", out.readLine());
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it does not end");
      assertEquals(code, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aServerThatRefusesToStartIsOneLine() {
    StringWriter err = new StringWriter();
    Console console = new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), false);
    JobServer.Starter refusing =
        _ -> {
          throw new ArgumentException("--data", "a folder that no other server has", "taken");
        };
    assertEquals(2, new Program(console, refusing).run("serve"));
    assertEquals(
        "halfcell: [--data]: expected a folder that no other server has, got taken.\n",
        err.toString());
  }

  @Test
  void optionsReachTheServer() {
    ServeOptions options = new ServeOptions();
    new CommandLine(options)
        .parseArgs(
            "--port=0",
            "--host=::1",
            "--data=d",
            "--workers=2",
            "--token-file=t",
            "--settings=s",
            "--artifacts=a",
            "--retain-days=1.5",
            "--retain-jobs=9",
            "--store=postgres://user@db:5432/jobs");
    assertEquals(0, options.port());
    assertEquals("::1", options.host());
    assertEquals(Path.of("d"), options.data());
    assertEquals(Optional.of(2), options.workers());
    assertEquals(Optional.of(Path.of("t")), options.tokenFile());
    assertEquals(Optional.of(Path.of("s")), options.settings());
    assertEquals(Optional.of(Path.of("a")), options.artifacts());
    assertEquals(Optional.of(1.5), options.retainDays());
    assertEquals(Optional.of(9L), options.retainJobs());
    assertEquals("postgres://user@db:5432/jobs", options.store());
    ServeOptions usual = new ServeOptions();
    new CommandLine(usual).parseArgs();
    assertEquals(8080, usual.port());
    assertEquals("127.0.0.1", usual.host());
    assertEquals("sqlite", usual.store());
  }

  @ParameterizedTest
  @CsvSource({
    "--port=65536,                        --port, 65535",
    "--port=-1,                           --port, 65535",
    "--workers=0,                         --workers, from 1",
    "--retain-days=many,                  --retain-days, many",
    "--retain-jobs=1.5,                   --retain-jobs, 1.5",
    "--store=mysql://a/b,                 --store, postgres://HOST/NAME",
    "--store=postgres://u:s3cret@h/d,     --store, without the password",
    "'--store=postgres://h/d?password=s3cret', --store, without the password",
  })
  void badOptionsAreRefused(String option, String first, String second) {
    CommandLineRun run = CommandLineRun.of("serve", option);
    assertEquals(2, run.exitCode(), run.err());
    assertEquals(1, run.errLines().size(), run.err());
    assertTrue(run.err().contains(first) && run.err().contains(second), run.err());
    assertFalse(run.err().contains("s3cret"), run.err());
  }
}
