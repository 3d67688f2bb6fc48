package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.testkit.PostgresProcess;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that share a PostgreSQL queue and a folder of files, each with a folder of its own, as on
 * machines of their own: whichever is killed or ends, others go on with its jobs to the same bytes.
 */
final class SeveralServersTest {
  private static final String JSON =
      """
      {
        "network": {"name": "lenet5"},
        "device": "cpu",
        "precision": {"level": "O2"},
        "training": {"steps": 300, "batchSize": 8, "seed": 3},
        "checkpoint": {"everySteps": 20}
      }
      """;

  /** A lease lasts 15 s, is looked at each 3; but other programs may run here too. */
  private static final Duration TAKEN_OVER = Duration.ofMinutes(5);

  private static Optional<PostgresProcess> database = Optional.empty();

  @TempDir private Path folder;

  private Path data = Path.of("");

  @BeforeAll
  static void startDatabase() throws Exception {
    database = Optional.of(PostgresProcess.start());
  }

  @AfterAll
  static void stopDatabase() throws Exception {
    if (database.isPresent()) {
      database.get().close();
    }
  }

  @BeforeEach
  void writeData() throws Exception {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    try (var connection = database.orElseThrow().connect();
        var statement = connection.createStatement()) {
      statement.execute("DROP SCHEMA public CASCADE");
      statement.execute("CREATE SCHEMA public");
    }
  }

  private List<String> shared() {
    return List.of(
        "--store=" + database.orElseThrow().url(), "--artifacts=" + folder.resolve("artifacts"));
  }

  private static Map<String, String> password() {
    return Map.of("HALFCELL_STORE_PASSWORD", database.orElseThrow().password());
  }

  private ServiceProcess serve(String name) throws IOException {
    return ServiceProcess.serve(folder.resolve(name), data, shared(), password());
  }

  private ServiceProcess worker(String name) throws IOException {
    return ServiceProcess.worker(folder.resolve(name), data, shared(), password());
  }

  private static HalfCellClient client(ServiceProcess service) {
    return new HalfCellClient(
        ClientSettings.at(service.address()).withPatience(Duration.ofMinutes(2)));
  }

  private Path trained() throws IOException {
    return TrainedJobs.onTheCommandLine(JSON, data, folder);
  }

  private static String submit(HalfCellClient client) {
    return client.submit(JobSpecification.ofJson(JSON)).job().id();
  }

  private static boolean trainedBy(Job job, String server) {
    return job.attempts().orElseThrow().stream().anyMatch(each -> each.server().equals(server));
  }

  @Test
  @Tag("slow")
  void aWorkerThatEndsGivesItsJobToAnotherServer() throws Exception {
    Path run = trained();
    try (ServiceProcess service = serve("first");
        ServiceProcess worker = worker("second");
        HalfCellClient client = client(service)) {
      List<String> jobs = List.of(submit(client), submit(client));
      String name = worker.name();
      await(() -> jobs.stream().anyMatch(job -> trainedBy(client.job(job), name)));
      long before = System.nanoTime();
      assertEquals(0, worker.end());
      assertTrue(System.nanoTime() - before < TimeUnit.SECONDS.toNanos(10), "it drained too long");
      worker.assertNoWorkers();
      for (String job : jobs) {
        var _ = TrainedJobs.awaitSuccess(client, job);
        TrainedJobs.assertSame(run, client, job, folder);
      }
      assertEquals(0, service.end());
      service.assertNoWorkers();
    }
  }

  /** {@code -Dhalfcell.kills=60} for more. */
  @Test
  @Tag("slow")
  void manyKillsLoseNothing() throws Exception {
    int kills = Integer.getInteger("halfcell.kills", 15);
    long seed = Long.getLong("halfcell.kills.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Path run = trained();
    Set<String> accepted = ConcurrentHashMap.newKeySet();
    try (ServiceProcess first = serve("first");
        ServiceProcess second = serve("second");
        ServiceProcess third = worker("third");
        HalfCellClient one = client(first);
        HalfCellClient other = client(second)) {
      List<ServiceProcess> servers = List.of(first, second, third);
      List<Double> takeovers = new ArrayList<>();
      for (int kill = 0; kill < kills; kill++) {
        // Two each time, so that several servers have something to train. Who is dead is asked
        // again, by the same key, until another one has taken its place.
        Thread sending = Thread.ofPlatform().start(() -> accepted.add(submit(one)));
        Thread more = Thread.ofPlatform().start(() -> accepted.add(submit(other)));
        boolean awaited = kill % 3 == 2;
        ServiceProcess killed =
            awaited ? oneThatTrains(servers, one, random) : oneOf(servers, random);
        killed.kill();
        if (awaited) {
          takeovers.add(secondsUntilTakenOver(killed, killed == first ? other : one));
        }
        killed.beginAgain();
        sending.join();
        more.join();
      }
      assertEquals(2 * kills, accepted.size());
      for (String job : accepted) {
        var _ = TrainedJobs.awaitSuccess(kills % 2 == 0 ? one : other, job);
      }
      assertAllThere(run, accepted, one);
      say(kills, accepted.stream().map(one::job).toList(), takeovers);
      for (ServiceProcess server : servers) {
        assertEquals(0, server.end());
        server.assertNoWorkers();
      }
    }
  }

  /** At a random moment. */
  private static ServiceProcess oneOf(List<ServiceProcess> servers, Random random)
      throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(50, 4_000));
    return servers.get(random.nextInt(servers.size()));
  }

  /** One that others will have something to take over from. */
  private static ServiceProcess oneThatTrains(
      List<ServiceProcess> servers, HalfCellClient client, Random random) throws Exception {
    List<ServiceProcess> training = new ArrayList<>();
    await(
        () -> {
          for (ServiceProcess server : servers) {
            if (!held(client, server.name()).isEmpty()) {
              training.add(server);
            }
          }
          return !training.isEmpty();
        });
    return training.get(random.nextInt(training.size()));
  }

  /**
   * How long it takes until a dead server holds no job any more. It is not to come back before
   * others train on what it had.
   */
  private static double secondsUntilTakenOver(ServiceProcess dead, HalfCellClient client)
      throws Exception {
    long before = System.nanoTime();
    String name = dead.name();
    List<String> jobs = held(client, name);
    await(() -> held(client, name).isEmpty());
    double seconds = (System.nanoTime() - before) / 1e9;
    await(() -> jobs.stream().noneMatch(job -> lastServer(client, job).equals(name)));
    return seconds;
  }

  /** The jobs that a server holds, living or dead. */
  private static List<String> held(HalfCellClient client, String server) {
    return KilledServiceTest.all(client).stream()
        .filter(job -> job.state().held())
        .map(Job::id)
        .filter(job -> lastServer(client, job).equals(server))
        .toList();
  }

  private static String lastServer(HalfCellClient client, String job) {
    return client.job(job).attempts().orElseThrow().getLast().server();
  }

  private void assertAllThere(Path run, Set<String> accepted, HalfCellClient client)
      throws IOException {
    List<Job> all = KilledServiceTest.all(client);
    assertEquals(accepted, all.stream().map(Job::id).collect(Collectors.toSet()));
    assertEquals(accepted.size(), all.size(), "no job twice");
    for (String job : accepted) {
      TrainedJobs.assertSame(run, client, job, folder);
    }
  }

  private static void say(int kills, List<Job> jobs, List<Double> takeovers) {
    List<List<Job.Attempt>> attempts =
        jobs.stream().map(job -> job.attempts().orElseThrow()).toList();
    Set<String> servers =
        attempts.stream()
            .flatMap(List::stream)
            .map(Job.Attempt::server)
            .collect(Collectors.toSet());
    long moved =
        attempts.stream()
            .filter(each -> each.stream().map(Job.Attempt::server).distinct().count() > 1)
            .count();
    System.out.printf(
        "%d kills; %d jobs in %d attempts by %d servers, %d of them by more than one; a dead server's"
            + " jobs were free after at most %.1f s; none lost, none twice, all the same bytes%n",
        kills,
        jobs.size(),
        attempts.stream().mapToLong(List::size).sum(),
        servers.size(),
        moved,
        takeovers.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    assertEquals(3, servers.size());
    assertTrue(moved > 0, "no job was taken over: that was not tried");
  }

  /** Something that comes to be so. */
  @FunctionalInterface
  private interface Until {
    boolean holds() throws Exception;
  }

  private static void await(Until until) throws Exception {
    long end = System.nanoTime() + TAKEN_OVER.toNanos();
    while (!until.holds()) {
      assertTrue(System.nanoTime() < end, "waited for " + TAKEN_OVER + " in vain");
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
