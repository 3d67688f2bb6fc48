package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobFilter;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service in processes of its own: what was accepted is trained to its end, once and to the
 * same bits, whatever is killed.
 */
@Tag("process")
final class KilledServiceTest {
  private static final int STEPS = 400;
  private static final int EVERY = 20;

  /** Of workers that compile as a user's do: a test's are held to Java's first compiler. */
  private static final Map<String, String> AS_USERS = Map.of("HALFCELL_JAVA_OPTS", "");

  /** As the project's goals are, and as they are where other programs run too. */
  private static final Limits QUIET = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), 10);

  private static final Limits BUSY = new Limits(Duration.ofSeconds(60), Duration.ofSeconds(60), 0);

  /**
   * Of so many dead workers a job goes on for certain; one more is its end where it has saved
   * nothing since the first (G10).
   */
  private static final int SPARED = 2;

  private static final JobFilter HELD =
      new JobFilter(
          List.of(JobState.STARTING, JobState.RUNNING),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          50);

  private static final String JSON =
      """
      {
        "network": {"name": "lenet5"},
        "device": "cpu",
        "precision": {"level": "O2"},
        "training": {"steps": %d, "batchSize": 8, "seed": 3},
        "checkpoint": {"everySteps": %d}
      }
      """
          .formatted(STEPS, EVERY);

  @TempDir private Path folder;

  private Path data = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
  }

  private static HalfCellClient client(ServiceProcess service) {
    return new HalfCellClient(
        ClientSettings.at(service.address()).withPatience(Duration.ofSeconds(90)));
  }

  private Path trained() throws IOException {
    return TrainedJobs.onTheCommandLine(JSON, data, folder);
  }

  @Test
  void aJobOverHttpComesToTheSameBytesAsOnTheCommandLine() throws Exception {
    Path run = trained();
    try (ServiceProcess service =
            ServiceProcess.serve(folder.resolve("service"), data, List.of(), AS_USERS);
        HalfCellClient client = client(service)) {
      Job sent = client.submit(JobSpecification.ofJson(JSON)).job();
      var _ = TrainedJobs.awaitSuccess(client, sent.id());
      TrainedJobs.assertSame(run, client, sent.id(), folder);
      assertEquals(0, service.end());
      service.assertNoWorkers();
    }
  }

  /** Else a machine that trains on all of its processors would let its server wait for them. */
  @Test
  void aWorkersSessionIsNicedWhereSessionsAreWeighed() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/autogroup")), "skipped: sessions have no weights");
    try (ServiceProcess service = ServiceProcess.start(folder, data);
        HalfCellClient client = client(service)) {
      String id = client.submit(JobSpecification.ofJson(JSON)).job().id();
      ProcessHandle worker = service.awaitWorker();
      String weight = Files.readString(Path.of("/proc/" + worker.pid() + "/autogroup")).strip();
      for (int tries = 0; tries < 200 && !weight.endsWith("nice 10"); tries++) {
        Thread.sleep(20);
        weight = Files.readString(Path.of("/proc/" + worker.pid() + "/autogroup")).strip();
      }
      assertTrue(weight.endsWith("nice 10"), weight);
      var _ = client.cancel(id, Duration.ofSeconds(30));
      assertEquals(0, service.end());
    }
  }

  /** {@code -Dhalfcell.kills=300} for more; from 60 on, nothing else may run on the machine. */
  @Tag("Ray-44218")
  @Tag("Ray-44561")
  @Tag("slow")
  @Test
  void manyKillsLoseNothing() throws Exception {
    int kills = Integer.getInteger("halfcell.kills", 60);
    long seed = Long.getLong("halfcell.kills.seed", System.nanoTime());
    kill(kills, seed, kills < 60 ? BUSY : QUIET);
  }

  private void kill(int kills, long seed, Limits limits) throws Exception {
    System.out.println("seed " + seed);
    Path run = trained();
    KilledJobs histories = new KilledJobs(EVERY);
    Map<String, String> environment = limits.equals(QUIET) ? AS_USERS : Map.of();
    try (ServiceProcess service =
            ServiceProcess.serve(folder.resolve("service"), data, List.of(), environment);
        HalfCellClient client = client(service);
        HalfCellClient another = client(service);
        JobObserver observer = JobObserver.of(another)) {
      Kills killed = kill(kills, new Random(seed), service, client, histories);
      List<Job> all = new ArrayList<>();
      for (String id : killed.accepted()) {
        List<Event> events = TrainedJobs.awaitSuccess(client, id);
        Job job = client.job(id);
        histories.check(id, job.attempts().orElseThrow(), events);
        all.add(job);
      }
      observer.end();
      assertEquals(kills, all.size());
      assertEquals(killed.accepted(), ids(all(client)), "no job lost, none twice");
      assertEquals(List.of(), histories.violations());
      for (Job job : all) {
        TrainedJobs.assertSame(run, client, job.id(), folder);
        assertLogged(service, job);
      }
      say(killed, all, histories);
      limits.check(killed, histories);
      assertEquals(0, service.end());
      service.assertNoWorkers();
      SavedRuns.assertTidy(service.folder());
    }
  }

  /** What was killed, and what was accepted meanwhile. */
  private record Kills(List<String> accepted, int workers, List<Duration> restarts) {}

  private Kills kill(
      int kills, Random random, ServiceProcess service, HalfCellClient client, KilledJobs histories)
      throws Exception {
    List<String> accepted = Collections.synchronizedList(new ArrayList<>());
    List<Duration> restarts = new ArrayList<>();
    int workers = 0;
    histories.canGoOn(Instant.now());
    for (int kill = 0; kill < kills; kill++) {
      // Sent while the server may be dead or dying: the client asks again, by the same key.
      Thread sending =
          Thread.ofPlatform()
              .start(() -> accepted.add(client.submit(JobSpecification.ofJson(JSON)).job().id()));
      Thread.sleep(random.nextInt(50, 4_000));
      if (kill % 4 == 1 && killWorker(service, client)) {
        workers++;
      } else {
        Instant killed = Instant.now();
        service.kill();
        SavedRuns.assertNewestWhole(service.folder());
        long at = System.nanoTime();
        service.beginAgain();
        restarts.add(Duration.ofNanos(System.nanoTime() - at));
        assertHeldAnew(client, killed);
      }
      histories.canGoOn(Instant.now());
      sending.join();
    }
    return new Kills(accepted.stream().sorted().toList(), workers, restarts);
  }

  /** What the dead server held is held by the one that lives, or by none: else it would wait. */
  private static void assertHeldAnew(HalfCellClient client, Instant killed) {
    for (Job listed : client.jobs(HELD).jobs()) {
      Job job = client.job(listed.id());
      Job.Attempt last = job.attempts().orElseThrow().getLast();
      assertTrue(last.endedAt().isPresent() || last.startedAt().isAfter(killed), job::toString);
    }
  }

  /** Whether one was killed. It is spared where it may be the last one that its job is given. */
  private static boolean killWorker(ServiceProcess service, HalfCellClient client)
      throws InterruptedException {
    Optional<ProcessHandle> worker = service.someWorker();
    boolean spared =
        client.jobs(HELD).jobs().stream().anyMatch(job -> dead(client.job(job.id())) == SPARED);
    return worker.isPresent() && !spared && worker.get().destroyForcibly();
  }

  private static long dead(Job job) {
    return job.attempts().orElseThrow().stream()
        .filter(attempt -> attempt.reason().filter("WORKER_LOST"::equals).isPresent())
        .count();
  }

  private static List<String> ids(List<Job> jobs) {
    return jobs.stream().map(Job::id).sorted().toList();
  }

  private static void assertLogged(ServiceProcess service, Job job) throws Exception {
    String log = log(service, job);
    assertTrue(log.contains("the training begins"), log);
    assertTrue(log.contains("the training is complete"), log);
  }

  private static void say(Kills killed, List<Job> all, KilledJobs histories) {
    long attempts = all.stream().mapToLong(job -> job.attempts().orElseThrow().size()).sum();
    System.out.printf(
        Locale.ROOT,
        "%d kills, %d of them of workers; %d jobs in %d attempts, none lost, all the same bytes;"
            + " served again after at most %.2f s, %d times trained on after at most %.2f s,"
            + " at most %d steps done again%n",
        all.size(),
        killed.workers(),
        all.size(),
        attempts,
        seconds(killed.restarts()),
        histories.pauses().size(),
        seconds(histories.pauses()),
        histories.mostRedone());
    assertTrue(attempts > all.size(), "no job was interrupted: nothing was tried");
    assertTrue(killed.workers() > 0, "no worker was killed");
  }

  private static double seconds(List<Duration> times) {
    return times.stream().mapToLong(Duration::toMillis).max().orElse(0) / 1e3;
  }

  /**
   * How long it may take until a server is there again, and until a job trains again; and how often
   * at least one has to.
   */
  private record Limits(Duration restart, Duration pause, int least) {
    void check(Kills killed, KilledJobs histories) {
      assertTrue(
          killed.restarts().stream().allMatch(each -> each.compareTo(restart) <= 0),
          killed::toString);
      assertTrue(
          histories.pauses().stream().allMatch(each -> each.compareTo(pause) <= 0),
          () -> histories.pauses().toString());
      assertTrue(histories.pauses().size() >= least, () -> "went on: " + histories.pauses());
    }
  }

  private static String log(ServiceProcess service, Job job) throws Exception {
    URI address = URI.create(service.address() + "/v1/jobs/" + job.id() + "/logs");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  static List<Job> all(HalfCellClient client) {
    List<Job> jobs = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      var page =
          next.isEmpty() ? client.jobs(JobFilter.all()) : client.jobs(JobFilter.all(), next.get());
      jobs.addAll(page.jobs());
      next = page.next();
    } while (next.isPresent());
    return jobs;
  }
}
