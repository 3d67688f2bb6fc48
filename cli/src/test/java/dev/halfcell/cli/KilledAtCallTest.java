package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.HalfCellClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The server or its worker is killed as a thread of it makes its nth call of a kind, before the
 * system does what it was called for: at each moment at which something becomes durable, and not at
 * random ones. The job is there, once, and comes to the bytes of a training that nobody disturbed.
 */
@Tag("slow")
@Timeout(180)
final class KilledAtCallTest {
  private static final Path STRACE = Path.of("/usr/bin/strace");
  private static final String KEY = "the-job";
  private static final int EVERY = 10;

  private static final String JOB =
      """
      {"network": {"name": "lenet5"}, "device": "cpu", "precision": {"level": "O2"},
       "training": {"steps": 60, "batchSize": 8, "seed": 3},
       "checkpoint": {"everySteps": %d}}
      """
          .formatted(EVERY);

  @TempDir private static Path shared;
  private static Path data = Path.of("");
  private static Path run = Path.of("");

  @TempDir private Path folder;

  @BeforeAll
  static void train() throws IOException {
    assumeTrue(
        Files.isExecutable(STRACE), "skipped: strace is not installed (apt-get install strace)");
    data = TinyFashion.write(Files.createDirectory(shared.resolve("data")));
    run = TrainedJobs.onTheCommandLine(JOB, data, shared);
  }

  @AfterAll
  static void forget() {
    data = Path.of("");
  }

  /** How a server is put behind the program that kills it, or what it starts. */
  private static List<String> killer(String calls, int which, Path said) {
    return List.of(
        STRACE.toString(),
        "-f",
        "-q",
        "-o",
        said.toString(),
        "-e",
        "trace=" + calls,
        "-e",
        "inject=%s:signal=KILL:when=%d".formatted(calls, which));
  }

  @ParameterizedTest
  @CsvSource({
    // The store writes: its log, its file.
    "pwrite64, 1",
    "pwrite64, 2",
    "pwrite64, 4",
    "pwrite64, 8",
    "pwrite64, 16",
    "pwrite64, 32",
    // Store, checkpoints, models and marks are made durable.
    "fsync, 1",
    "fsync, 2",
    "fsync, 3",
    "fsync, 4",
    "fsync, 5",
    "fsync, 6",
    "fsync, 7",
    "fsync, 8",
    "fsync, 10",
    "fsync, 12",
    // What is whole gets its name.
    "'rename,renameat,renameat2', 1",
    "'rename,renameat,renameat2', 2",
    "'rename,renameat,renameat2', 3",
    "'rename,renameat,renameat2', 4",
    // What is old is cleared away.
    "'unlink,unlinkat', 1",
    "'unlink,unlinkat', 2",
    "'unlink,unlinkat', 3",
    "ftruncate, 1",
    "ftruncate, 2"
  })
  void theJobComesToItsEnd(String calls, int which) throws Exception {
    Path said = folder.resolve("calls.txt");
    Path service = folder.resolve("service");
    String settings =
        "--settings="
            + Files.writeString(folder.resolve("settings.yaml"), "dataset: " + data + "\n");
    List<String> answered = new ArrayList<>();
    try (Closing first =
        new Closing(Served.begun(killer(calls, which, said), Map.of(), service, settings))) {
      first.submit(answered);
      first.awaitKill(said);
    }
    assertTrue(killed(said), "nothing was killed: no thread made so many calls");
    try (Served next = Served.start(service, settings);
        HalfCellClient client = new HalfCellClient(ClientSettings.at(next.address().toString()))) {
      String id = next.submit(JOB, KEY).json().get("id").stringValue();
      assertTrue(
          answered.isEmpty() || answered.equals(List.of(id)), "another job than " + answered);
      assertEquals(List.of(id), next.jobs());
      List<Event> events = TrainedJobs.awaitSuccess(client, id);
      KilledJobs histories = new KilledJobs(EVERY);
      histories.check(id, client.job(id).attempts().orElseThrow(), events);
      assertEquals(List.of(), histories.violations());
      TrainedJobs.assertSame(run, client, id, folder);
      assertEquals(0, next.end());
    }
    SavedRuns.assertNewestWhole(service);
    SavedRuns.assertTidy(service);
  }

  private static boolean killed(Path said) throws IOException {
    return Files.exists(said)
        && Files.readString(said, StandardCharsets.ISO_8859_1)
            .contains("+++ killed by SIGKILL +++");
  }

  /** A server that may be killed at any moment, also before it is one. */
  private record Closing(Optional<Served> server) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Nobody knows whether it is there to hear. */
    void submit(List<String> answered) throws InterruptedException {
      if (server.isPresent()) {
        try {
          answered.add(server.get().submit(JOB, KEY).expect(202).json().get("id").stringValue());
        } catch (IOException e) {
          System.out.println("killed before its answer: " + e);
        }
      }
    }

    /** Returns when something was killed; the server itself, or a worker of it. */
    void awaitKill(Path said) throws IOException, InterruptedException {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!killed(said) && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }

    @Override
    public void close() throws IOException, InterruptedException {
      if (server.isPresent()) {
        server.get().close();
      }
    }
  }
}
