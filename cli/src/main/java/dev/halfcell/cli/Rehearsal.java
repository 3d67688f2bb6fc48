package dev.halfcell.cli;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.JobFilter;
import dev.halfcell.zoo.job.JobSpecification;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What the launcher has Java learn a start from (an AOT cache, JEP 514): which classes the program
 * loads, how they are linked, and which methods are called often. It trains, but for a server,
 * serves, sends a job and waits for it, all of it small, asks the server what servers are asked
 * most, and ends as one that is told to end.
 */
public final class Rehearsal {
  private static final long PATIENCE_SECONDS = 120;

  private final Console console;
  private final Path folder;
  private final Part part;

  /** What is rehearsed: each has a cache of its own, for Java's options are not the same. */
  enum Part {
    /** Whatever computes, and clients. */
    PROGRAM(1),

    /** A server. So many rounds that Java takes the methods behind requests for often called. */
    SERVER(300);

    private final int rounds;

    Part(int rounds) {
      this.rounds = rounds;
    }
  }

  Rehearsal(Console console, Path folder, Part part) {
    this.console = console;
    this.folder = folder;
    this.part = part;
  }

  /**
   * Ends the process: with 0 where all that it tried was done.
   *
   * @param arguments an empty folder, for what it leaves behind, and a part in small letters
   */
  public static void main(String[] arguments) {
    Main.headless();
    Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> fail(thrown));
    CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .execute(() -> fail(new TimeoutException("no end after " + PATIENCE_SECONDS + " s")));
    Part part = Part.valueOf(arguments[1].toUpperCase(Locale.ROOT));
    int exitCode = new Rehearsal(Console.ofProcess(), Path.of(arguments[0]), part).run();
    if (exitCode != ExitCode.SUCCESS) {
      fail(new IllegalStateException("a command ended with " + exitCode));
    }
    System.exit(ExitCode.SUCCESS);
  }

  /** An exit would wait for the server, which ends well and says so with its own code. */
  private static void fail(Throwable why) {
    System.err.println("the rehearsal failed: " + why);
    Runtime.getRuntime().halt(1);
  }

  /** Gives the exit code; a server runs on, until the process is told to end. */
  int run() {
    if (part == Part.SERVER) {
      return serve();
    }
    int trained =
        run("train", "lenet5", "--level=O2", "--data=synthetic", "--steps=30", out("run"));
    return trained == ExitCode.SUCCESS ? serve() : trained;
  }

  private String out(String name) {
    return "--out=" + folder.resolve(name);
  }

  private int run(String... arguments) {
    return new Program(console).run(arguments);
  }

  private int serve() {
    CompletableFuture<URI> listens = new CompletableFuture<>();
    JobServer.Starter starter =
        options -> {
          JobServer server = LocalJobServer.start(options);
          listens.complete(server.address());
          return server;
        };
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              int code =
                  new Program(console, starter)
                      .run("serve", "--port=0", "--data=" + folder.resolve("jobs"));
              listens.completeExceptionally(new IllegalStateException("serve ended with " + code));
            });
    URI address = listens.join();
    String server = "--server=" + address;
    int waited = run("submit", "lenet5", "--data=synthetic", "--steps=2", "--wait", server);
    if (waited == ExitCode.SUCCESS) {
      ask(address, part.rounds);
    }
    return waited;
  }

  /** Most of the jobs are still queued when the server is told to end. */
  private static void ask(URI address, int rounds) {
    JobSpecification job =
        JobSpecification.ofJson(
            """
            {"network": {"name": "lenet5"}, "dataset": {"name": "synthetic"},
             "training": {"steps": 2}}
            """);
    try (HalfCellClient client = new HalfCellClient(ClientSettings.at(address.toString()))) {
      String ended = client.jobs(JobFilter.all()).jobs().getFirst().id();
      for (int i = 0; i < rounds; i++) {
        // The first is looked for, for a job was written before it; the second is known.
        var _ = client.job(ended);
        var _ = client.job(ended);
        var _ = client.job(client.submit(job).job().id());
        var _ = client.jobs(JobFilter.all());
      }
    }
  }
}
