package dev.halfcell.rest.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.http.Row;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What many ask at once, and what a server that starts again still knows: over a real store. */
final class StoredRowsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LENET = "{\"network\":{\"name\":\"lenet5\"}}";
  private static final int AT_ONCE = 50;

  @TempDir Path root;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private World world;

  @BeforeEach
  void open() {
    world = World.open(root);
  }

  @AfterEach
  void close() {
    world.close();
    client.close();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + world.port() + path))
            .header("Authorization", "Bearer " + World.TOKEN)
            .timeout(Duration.ofSeconds(30))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static JsonNode json(HttpResponse<String> response, int status) {
    assertEquals(status, response.statusCode(), response::body);
    return JSON.readTree(response.body());
  }

  private static String id(JsonNode job) {
    return job.get("id").stringValue();
  }

  /** The answers to the same request, sent many times at once, by their status. */
  private Map<Integer, List<HttpResponse<String>>> atOnce(String path, String... headers) {
    return IntStream.range(0, AT_ONCE)
        .parallel()
        .mapToObj(_ -> send("POST", path, "", headers))
        .collect(Collectors.groupingBy(HttpResponse::statusCode));
  }

  @Test
  @Row("P46")
  void aKeyHoldsWhenTheServerStartsAgain() {
    HttpResponse<String> first = send("POST", "/v1/jobs", LENET, "Idempotency-Key", "k");
    String made = id(json(first, 202));
    world.close();
    world = World.open(root);
    HttpResponse<String> again = send("POST", "/v1/jobs", LENET, "Idempotency-Key", "k");
    assertEquals(made, id(json(again, 202)));
    assertEquals("true", again.headers().firstValue("Idempotency-Replayed").orElse(""));
    json(send("POST", "/v1/jobs", LENET + " ", "Idempotency-Key", "k"), 409);
    json(send("POST", "/v1/jobs", LENET, "Idempotency-Key", "k".repeat(10_000)), 431);
    assertEquals(Set.of(made), world.jobs());
  }

  @Test
  @Row("P47")
  void fiftyCancelsAtOnceAreOneEnd() throws IOException {
    json(send("POST", "/v1/jobs/" + "0".repeat(32) + "/cancel", ""), 404);
    String queued = id(json(send("POST", "/v1/jobs", LENET), 202));
    assertEquals(Set.of(200), atOnce("/v1/jobs/" + queued + "/cancel").keySet());
    JsonNode events = json(send("GET", "/v1/jobs/" + queued + "/events", ""), 200).get("events");
    List<String> states =
        events.valueStream().map(event -> event.at("/data/to").asString("")).toList();
    assertEquals(List.of("CANCELLED"), states);
  }

  @Test
  @Row("P47")
  void aCancelThatRacesWithAnEndLeavesOneEnd() throws Exception {
    for (int i = 0; i < 20; i++) {
      JobId job = world.claimed();
      Thread worker = Thread.ofVirtual().start(() -> world.act(job, JobAction.COMPLETE));
      Map<Integer, List<HttpResponse<String>>> cancels = atOnce("/v1/jobs/" + job + "/cancel");
      worker.join();
      assertTrue(Set.of(200, 202).containsAll(cancels.keySet()), cancels.keySet()::toString);
      JsonNode page = json(send("GET", "/v1/jobs/" + job + "/events", ""), 200);
      List<String> ends =
          page.get("events")
              .valueStream()
              .map(event -> event.at("/data/to").asString(""))
              .filter(Set.of("SUCCEEDED", "FAILED", "CANCELLED")::contains)
              .toList();
      assertEquals(List.of("SUCCEEDED"), ends, page::toString);
    }
  }

  @Test
  @Row("P49")
  void resumedManyTimesAtOnceItIsOneNewJob() throws IOException {
    JobId job = world.claimed();
    json(send("POST", "/v1/jobs/" + job + "/resume", ""), 409);
    world.files(job);
    world.act(job, JobAction.FAIL);
    Map<Integer, List<HttpResponse<String>>> answers = atOnce("/v1/jobs/" + job + "/resume");
    assertEquals(Set.of(202), answers.keySet());
    Set<String> made =
        answers.getOrDefault(202, List.of()).stream()
            .map(each -> id(json(each, 202)))
            .collect(Collectors.toSet());
    assertEquals(1, made.size());
    assertEquals(2, world.jobs().size());
    assertNotEquals(Set.of(job.text()), made);
  }

  @Test
  @Row("P50")
  void aCursorIsOfItsListAndOfNoOther() {
    for (int i = 0; i < 3; i++) {
      json(send("POST", "/v1/jobs", LENET), 202);
    }
    String next = json(send("GET", "/v1/jobs?limit=1", ""), 200).get("next").stringValue();
    assertEquals(1, json(send("GET", "/v1/jobs?limit=1&next=" + next, ""), 200).get("jobs").size());
    char last = next.charAt(next.length() - 1);
    for (String wrong :
        Arrays.asList(
            "sort=oldest&next=" + next,
            "state=QUEUED&next=" + next,
            "level=O2&next=" + next,
            "next=" + next.substring(1),
            "next=" + next + "A",
            "next=" + next.substring(0, next.length() - 1) + (last == 'A' ? 'B' : 'A'),
            "next=0",
            "next=99999999999999999999",
            "next=" + "A".repeat(512),
            "next=" + "A".repeat(513),
            "next=%00",
            "next=..%2F..%2Fetc")) {
      int status = send("GET", "/v1/jobs?limit=1&" + wrong, "").statusCode();
      assertEquals(wrong.contains("%00") ? 400 : 422, status, wrong);
    }
  }
}
