package dev.halfcell.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Jobs by the thousand: how fast they are taken, listed, and served again after a kill. */
@Tag("slow")
final class QueueLoadTest {
  private static final int CLIENTS = 16;
  private static final int ACCEPTED = 202;

  @TempDir private Path folder;

  private final Goals goals = new Goals();

  private MeasuredService start(int queued) throws IOException {
    return MeasuredService.start(
        folder, 1, "dataset: embedded", "queued: " + queued, "live: 1000000");
  }

  private static byte[] submission(int number) {
    return KeptConnection.request(
        "POST", "/v1/jobs", "Idempotency-Key: job-" + number + "\r\n", Jobs.endless(number));
  }

  private Crowd.Outcome submit(MeasuredService service, int count) throws InterruptedException {
    Crowd.Outcome outcome =
        Crowd.send(service.port(), CLIENTS, count, ACCEPTED, QueueLoadTest::submission);
    goals.never("submissions refused", outcome.errors().size(), first(outcome.errors()));
    Goals.note(
        "%d submissions, %.0f a second, told to come later %d times: %s",
        count, outcome.perSecond(), outcome.later(), outcome.times());
    return outcome;
  }

  private static List<String> first(List<String> errors) {
    return errors.stream().limit(3).toList();
  }

  /** G11: each is on the disk before it is answered. One job trains meanwhile. */
  @Test
  void jobsAreTakenFast() throws Exception {
    try (MeasuredService service = start(1_000_000)) {
      var _ = submit(service, 300);
      int count = Size.of(500, 3_000);
      Crowd.Outcome outcome =
          Crowd.send(service.port(), CLIENTS, count, ACCEPTED, n -> submission(n + 300));
      Goals.note("%.0f a second: %s", outcome.perSecond(), outcome.times());
      // What the server runs through is compiled by then.
      Crowd.Outcome later =
          Crowd.send(service.port(), CLIENTS, count, ACCEPTED, n -> submission(n + 300 + count));
      Goals.note("later %.0f a second: %s", later.perSecond(), later.times());
      goals.never("G11 submissions refused", outcome.errors().size(), first(outcome.errors()));
      goals.atLeast("G11 durable submissions", 200, outcome.perSecond(), "/s");
      goals.atMost("G11 p99 of a submission", 100, outcome.times().percentile(99), "ms");
    }
    goals.check();
  }

  /** G12. */
  @Test
  void aLongQueueIsListedFast() throws Exception {
    int queued = Size.of(1_000, 10_000);
    try (MeasuredService service = start(queued);
        Jobs jobs = new Jobs(service.port())) {
      // The first one is taken from the queue; then it is as full as it may be.
      String first = jobs.submit(Jobs.endless());
      jobs.awaitStep(first, 1);
      var _ = submit(service, queued);
      KeptConnection.Answer refused;
      try (KeptConnection connection = new KeptConnection(service.port())) {
        refused = connection.send(submission(queued));
      }
      goals.never("G12 a job too many is taken", refused.status() == 429 ? 0 : 1, refused);
      for (String query :
          List.of(
              "", "?limit=200", "?state=QUEUED&sort=priority", "?state=RUNNING", "?label=a%3Db")) {
        list(service, query);
      }
      assertEquals(
          queued + 1, jobs.all().size(), "a list that is read to its end has all jobs once");
      Goals.note("%s", service.figures());
      goals.never("G12 errors logged", service.said().contains("OutOfMemory") ? 1 : 0, "memory");
    }
    goals.check();
  }

  private void list(MeasuredService service, String query) throws InterruptedException {
    Readers readers =
        new Readers(service.port(), KeptConnection.request("GET", "/v1/jobs" + query), 1);
    var _ = readers.often(Duration.ofSeconds(2));
    Readers.Outcome outcome = readers.steadily(20, Size.seconds(2, 5));
    goals.never("G12 list " + query + " refused", outcome.failed(), outcome.errors());
    goals.atMost("G12 p99 of a page of jobs " + query, 20, outcome.answers().percentile(99), "ms");
  }

  /** G5 and G6, with nothing in the store but a job that trains. */
  @Test
  void anEmptyServerIsThereSoonAfterAKill() throws Exception {
    try (MeasuredService service = start(10_000);
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(Jobs.endless());
      jobs.awaitStep(job, 50);
      killed(service, job, "empty", 3);
    }
    goals.check();
  }

  /** G5 and G6 with a history and a queue. */
  @Test
  void aFullServerIsThereSoonAfterAKill() throws Exception {
    int finished = Size.of(1_000, 10_000);
    try (MeasuredService service = start(100_000);
        Jobs jobs = new Jobs(service.port())) {
      String job = jobs.submit(Jobs.endless());
      jobs.awaitStep(job, 50);
      Crowd.Outcome accepted = submit(service, finished + 1_000);
      List<String> ids =
          accepted.answers().stream()
              .map(answer -> new JsonMapper().readTree(answer).get("id").stringValue())
              .toList();
      Crowd.Outcome cancelled =
          Crowd.send(
              service.port(),
              CLIENTS,
              finished,
              200,
              n -> KeptConnection.request("POST", "/v1/jobs/" + ids.get(n) + "/cancel?wait=10"));
      goals.never("cancellations refused", cancelled.errors().size(), first(cancelled.errors()));
      Goals.note("%.0f cancellations/s: %s", cancelled.perSecond(), cancelled.times());
      killed(service, job, "1,000 queued, " + finished + " finished", 5);
    }
    goals.check();
  }

  private void killed(MeasuredService service, String job, String store, double limit)
      throws Exception {
    service.kill();
    long at = System.nanoTime();
    Thread server = Thread.ofPlatform().start(() -> begin(service));
    awaitHealthy(service.port());
    double served = (System.nanoTime() - at) / 1e9;
    goals.atMost("G5 served after a kill, " + store, limit, served, "s");
    try (Jobs jobs = new Jobs(service.port())) {
      long attempt = 1;
      while (attempt < 2 || !jobs.state(job).equals("RUNNING")) {
        TimeUnit.MILLISECONDS.sleep(20);
        attempt = jobs.job(job).get("attempt").longValue();
        assertEquals(true, System.nanoTime() - at < 60e9, "the job does not run again");
      }
      double again = (System.nanoTime() - at) / 1e9 - served;
      goals.atMost("G6 an interrupted job trains again, " + store, 10, again, "s");
    }
    server.join();
  }

  private static void begin(MeasuredService service) {
    try {
      service.beginAgain();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitHealthy(int port) throws InterruptedException {
    byte[] request = KeptConnection.request("GET", "/healthz");
    for (int tries = 0; tries < 3_000; tries++) {
      try (KeptConnection connection = new KeptConnection(port)) {
        if (connection.send(request).status() == 200) {
          return;
        }
      } catch (IOException _) {
        // It does not listen yet.
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
