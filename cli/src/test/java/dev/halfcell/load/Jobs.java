package dev.halfcell.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the programs ask of a server beside what they measure. One thread. */
final class Jobs implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

  private final KeptConnection connection;

  Jobs(int port) throws IOException {
    this.connection = new KeptConnection(port);
  }

  /** A training that does not end while it is measured, as a user may have it: LeNet-5 at O2. */
  static String endless() {
    return endless(3);
  }

  /** One of another seed: another job to whoever compares them. */
  static String endless(int seed) {
    return training(1_000_000, 64, 100_000, seed);
  }

  /** One of so many steps that is over soon. */
  static String ofSteps(int steps) {
    return training(steps, 8, Math.max(1, steps / 2), 3);
  }

  private static String training(int steps, int batch, int every, int seed) {
    return String.format(
        Locale.ROOT,
        """
        {"network": {"name": "lenet5"}, "device": "cpu", "precision": {"level": "O2"},
         "training": {"steps": %d, "batchSize": %d, "seed": %d},
         "checkpoint": {"everySteps": %d}}
        """,
        steps,
        batch,
        seed,
        every);
  }

  /** Submits a job and gives its id. */
  String submit(String specification) throws IOException {
    return accepted(KeptConnection.request("POST", "/v1/jobs", "", specification));
  }

  /** The same once, however often it is sent with the same key. */
  String submit(String specification, String key) throws IOException {
    String header = "Idempotency-Key: " + key + "\r\n";
    return accepted(KeptConnection.request("POST", "/v1/jobs", header, specification));
  }

  private String accepted(byte[] request) throws IOException {
    KeptConnection.Answer answer = connection.send(request);
    assertEquals(202, answer.status(), answer::body);
    return read(answer).get("id").stringValue();
  }

  static JsonNode read(KeptConnection.Answer answer) {
    return JSON.readTree(answer.body());
  }

  JsonNode get(String path) throws IOException {
    KeptConnection.Answer answer = connection.send(KeptConnection.request("GET", path));
    assertEquals(200, answer.status(), answer::body);
    return read(answer);
  }

  JsonNode job(String id) throws IOException {
    return get("/v1/jobs/" + id);
  }

  String state(String id) throws IOException {
    return job(id).get("state").stringValue();
  }

  /** A figure that the server tells of itself. */
  double figure(String name) throws IOException {
    KeptConnection.Answer answer = connection.send(KeptConnection.request("GET", "/metrics"));
    assertEquals(200, answer.status(), answer::body);
    return answer
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }

  /** All jobs. */
  List<JsonNode> all() throws IOException {
    List<JsonNode> all = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = get("/v1/jobs?limit=200" + next);
      page.get("jobs").forEach(all::add);
      next = page.hasNonNull("next") ? "&next=" + page.get("next").stringValue() : "";
    } while (!next.isEmpty());
    return all;
  }

  /** Asks for the end of a job, and does not wait for it. */
  void askToCancel(String id) throws IOException {
    KeptConnection.Answer answer =
        connection.send(KeptConnection.request("POST", "/v1/jobs/" + id + "/cancel"));
    assertEquals(2, answer.status() / 100, answer::body);
  }

  /** Asks for the end of a job, and waits for it. */
  JsonNode cancel(String id) throws IOException {
    KeptConnection.Answer answer =
        connection.send(KeptConnection.request("POST", "/v1/jobs/" + id + "/cancel?wait=30"));
    assertEquals(200, answer.status(), answer::body);
    return read(answer);
  }

  /** Waits until a job has taken so many steps. */
  void awaitStep(String id, long step) throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (job(id).at("/progress/step").asLong(0) < step) {
      assertEquals(true, System.nanoTime() < end, () -> "job " + id + " does not train");
      assertEquals(false, ENDED.contains(state(id)), () -> "job " + id + " is over");
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Waits until a job is over, and says how. */
  String awaitEnd(String id, Duration most) throws IOException, InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    String state = state(id);
    while (!ENDED.contains(state) && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(50);
      state = state(id);
    }
    return state;
  }

  /** How far a job is, and when it was. */
  record Step(long step, Instant at) {
    double perSecondUntil(Step later) {
      return (later.step - step) / (Duration.between(at, later.at).toNanos() / 1e9);
    }
  }

  Step step(String id) throws IOException {
    JsonNode progress = job(id).get("progress");
    return new Step(
        progress.get("step").longValue(), Instant.parse(progress.get("updatedAt").stringValue()));
  }

  @Override
  public void close() {
    connection.close();
  }
}
