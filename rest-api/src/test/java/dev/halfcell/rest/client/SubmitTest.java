package dev.halfcell.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.HalfCellClient.SubmitOptions;
import dev.halfcell.zoo.job.JobSpecification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A submission makes one job, whatever becomes of connections. */
final class SubmitTest {
  private static final JobSpecification LENET = JobSpecification.of("lenet5");
  private static final int AT_ONCE = 32;

  /** Jobs by their keys, as a service keeps them; numbers are ids. */
  private static final class Store {
    private final Map<String, String> jobs = new ConcurrentHashMap<>();
    private final AtomicInteger made = new AtomicInteger();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    byte[] submit(ScriptedServer.Request request) {
      String id = jobs.computeIfAbsent(request.header("idempotency-key"), _ -> next());
      return ScriptedServer.json(202, Jobs.json(id, "QUEUED"), "Location: /v1/jobs/" + id);
    }

    private String next() {
      return "0".repeat(24) + HexFormat.of().toHexDigits(made.incrementAndGet());
    }
  }

  private static int cut(ScriptedServer.Request request) {
    return Integer.parseInt(request.path().replaceAll(".*externalId=cut-", ""));
  }

  @Tag("Ray-62766")
  @Tag("Ray-31356")
  @Test
  void anAnswerThatIsCutAtAnyByteMakesOneJob() throws Exception {
    Store store = new Store();
    int length = store.submit(new ScriptedServer.Request("", "", Map.of(), "")).length;
    try (ScriptedServer server =
            new ScriptedServer(
                (request, out) -> {
                  byte[] answer = store.submit(request);
                  boolean again = !store.seen.add(request.path());
                  out.write(answer, 0, again ? answer.length : cut(request));
                });
        HalfCellClient client = server.client(Duration.ofSeconds(30))) {
      List<Submission> submissions = submitted(client, length);
      assertEquals(length, submissions.stream().map(each -> each.job().id()).distinct().count());
      assertEquals(length + 1, store.made.get());
      assertEquals(2 * length, server.requests().size());
      Map<String, Long> keys =
          server.requests().stream()
              .collect(
                  Collectors.groupingBy(
                      each -> each.header("idempotency-key"), Collectors.counting()));
      assertEquals(Set.of(2L), Set.copyOf(keys.values()));
      assertFalse(keys.containsKey(""));
      assertEquals(LENET.json(), server.requests().getFirst().body());
    }
  }

  private static List<Submission> submitted(HalfCellClient client, int cuts) throws Exception {
    List<Future<Submission>> coming = new ArrayList<>();
    Semaphore room = new Semaphore(AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int cut = 0; cut < cuts; cut++) {
        SubmitOptions options = new SubmitOptions(Optional.of("cut-" + cut), Optional.empty());
        coming.add(
            threads.submit(
                () -> {
                  room.acquire();
                  try {
                    return client.submit(LENET, options);
                  } finally {
                    room.release();
                  }
                }));
      }
    }
    List<Submission> submissions = new ArrayList<>();
    for (Future<Submission> each : coming) {
      submissions.add(each.get());
    }
    return submissions;
  }

  @Test
  void notNowIsAskedAgainWhenTheServerSays() {
    Store store = new Store();
    AtomicInteger asked = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (request, out) ->
                    out.write(
                        switch (asked.getAndIncrement()) {
                          case 0 -> ScriptedServer.problem(503, "Not now", "x", "Retry-After: 1");
                          case 1 -> ScriptedServer.problem(429, "Many", "x", "Retry-After: 0");
                          default -> store.submit(request);
                        }));
        HalfCellClient client = server.client()) {
      long begun = System.nanoTime();
      Submission submission = client.submit(LENET);
      assertTrue(System.nanoTime() - begun >= 1_000_000_000L, "it did not wait");
      assertFalse(submission.replayed());
      assertEquals(3, server.requests().size());
      assertEquals(1, store.made.get());
    }
  }

  @Test
  void notNowForLongerThanOnesPatienceIsToldAtOnce() {
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) ->
                    out.write(ScriptedServer.problem(503, "Not now", "full", "Retry-After: 60")));
        HalfCellClient client = server.client()) {
      ProblemException e = assertThrows(ProblemException.class, () -> client.submit(LENET));
      assertEquals(503, e.status());
      assertEquals(Optional.of(Duration.ofSeconds(60)), e.retryAfter());
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void aRefusalIsToldWithAllThatIsWrongAndNotAskedAgain() {
    String body =
        """
        {"type":"/docs#problem-invalid","title":"Invalid","status":422,"detail":"2 keys are wrong.",
         "errors":[{"pointer":"/training/epochs","message":"too many","allowed":"1 to 10000"},
         {"pointer":"/device","message":"no such device"}],"more":{"of":"a newer server"}}""";
    try (ScriptedServer server =
            new ScriptedServer((_, out) -> out.write(ScriptedServer.json(422, body)));
        HalfCellClient client = server.client()) {
      ProblemException e = assertThrows(ProblemException.class, () -> client.submit(LENET));
      assertEquals(2, e.errors().size());
      assertEquals(
          "[POST /v1/jobs] at "
              + server.settings().server()
              + ": expected a request that the server accepts, got 422 Invalid: 2 keys are wrong."
              + " /training/epochs: too many (allowed: 1 to 10000); /device: no such device.",
          e.problem().message());
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void aReplayIsSaid() {
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) ->
                    out.write(
                        ScriptedServer.json(
                            202, Jobs.json("SUCCEEDED"), "Idempotency-Replayed: true")));
        HalfCellClient client = server.client()) {
      SubmitOptions options = new SubmitOptions(Optional.empty(), Optional.of("mine"));
      assertTrue(client.submit(LENET, options).replayed());
      assertEquals("mine", server.requests().getFirst().header("idempotency-key"));
    }
  }
}
