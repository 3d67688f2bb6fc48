package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.client.JobFilter;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service in processes of its own: what was accepted is trained to its end, once and to the
 * same bits, whatever is killed.
 */
final class KilledServiceTest {
  private static final int STEPS = 400;

  private static final String JSON =
      """
      {
        "network": {"name": "lenet5"},
        "device": "cpu",
        "precision": {"level": "O2"},
        "training": {"steps": %d, "batchSize": 8, "seed": 3},
        "checkpoint": {"everySteps": 20}
      }
      """
          .formatted(STEPS);

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
    try (ServiceProcess service = ServiceProcess.start(folder, data);
        HalfCellClient client = client(service)) {
      Job sent = client.submit(JobSpecification.ofJson(JSON)).job();
      TrainedJobs.awaitSuccess(client, sent.id());
      TrainedJobs.assertSame(run, client, sent.id(), folder);
      assertEquals(0, service.end());
      service.assertNoWorkers();
    }
  }

  @Tag("Ray-44218")
  @Tag("Ray-44561")
  @Test
  void fourKillsLoseNothing() throws Exception {
    kill(4, 17);
  }

  /** {@code -Dhalfcell.kills=300} for more. */
  @Test
  @Tag("slow")
  void manyKillsLoseNothing() throws Exception {
    kill(Integer.getInteger("halfcell.kills", 60), System.nanoTime());
  }

  private void kill(int kills, long seed) throws Exception {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Path run = trained();
    Set<String> accepted = ConcurrentHashMap.newKeySet();
    int workers = 0;
    try (ServiceProcess service = ServiceProcess.start(folder, data);
        HalfCellClient client = client(service)) {
      for (int kill = 0; kill < kills; kill++) {
        // Sent while the server may be dead or dying: the client asks again, by the same key.
        Thread sending =
            Thread.ofPlatform()
                .start(() -> accepted.add(client.submit(JobSpecification.ofJson(JSON)).job().id()));
        Thread.sleep(random.nextInt(50, 4_000));
        if (kill % 4 == 1 && service.killWorker()) {
          workers++;
        } else {
          service.killAndBegin();
        }
        sending.join();
      }
      assertEquals(kills, accepted.size());
      for (String job : accepted) {
        TrainedJobs.awaitSuccess(client, job);
      }
      List<Job> all = all(client);
      assertEquals(accepted, all.stream().map(Job::id).collect(Collectors.toSet()));
      assertEquals(kills, all.size(), "no job twice");
      for (Job job : all) {
        TrainedJobs.assertSame(run, client, job.id(), folder);
        String log = log(service, job);
        assertTrue(log.contains("the training begins"), log);
        assertTrue(log.contains("the training is complete"), log);
      }
      long attempts =
          all.stream().mapToLong(job -> client.job(job.id()).attempts().orElseThrow().size()).sum();
      System.out.println(
          "%d kills, %d of them of workers; %d jobs in %d attempts, none lost, all the same bytes"
              .formatted(kills, workers, all.size(), attempts));
      assertTrue(attempts > kills, "no job was interrupted: nothing was tried");
      assertTrue(workers > 0, "no worker was killed");
      assertEquals(0, service.end());
      service.assertNoWorkers();
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
