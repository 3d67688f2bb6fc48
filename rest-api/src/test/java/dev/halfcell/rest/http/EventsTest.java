package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Streams of events lose nothing, and end only where the job does. */
@Timeout(60)
class EventsTest {
  @TempDir private Path root;
  private TestServer server;
  private ContractClient client;

  @BeforeEach
  void start() {
    HttpServerSettings http = TestServer.http();
    HttpServerSettings.Limits limits = http.limits();
    server =
        TestServer.start(
            root,
            http.with(
                    new HttpServerSettings.Deadlines(
                        http.deadlines().head(),
                        http.deadlines().body(),
                        http.deadlines().idle(),
                        Duration.ofMillis(300),
                        Duration.ofMillis(200)))
                .with(
                    new HttpServerSettings.Limits(
                        limits.connections(),
                        2,
                        limits.bodyBytes(),
                        limits.streamBytes(),
                        limits.submitsPerSecond(),
                        limits.submitsAtOnce())),
            Tokens.none());
    client = server.client();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Reads one event: its lines up to an empty one, without comments; none at the end. */
  private static List<String> event(BufferedReader in) throws IOException {
    List<String> lines = new ArrayList<>();
    String line = in.readLine();
    while (line != null && (!line.isEmpty() || lines.isEmpty())) {
      if (!line.isEmpty() && !line.startsWith(":")) {
        lines.add(line);
      }
      line = in.readLine();
    }
    return lines;
  }

  private BufferedReader follow(JobId job, String... headers) {
    List<String> all = new ArrayList<>(List.of("Accept", "text/event-stream"));
    all.addAll(List.of(headers));
    InputStream in = client.stream("/v1/jobs/" + job + "/events", all.toArray(String[]::new));
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  @Test
  void aStreamTellsAllAndEndsWithTheState() throws IOException {
    JobId job = server.submit();
    try (BufferedReader in = follow(job)) {
      assertEquals(List.of("id: 1", "event: state"), event(in).subList(0, 2));
      server.move(job, JobAction.CLAIM, JobAction.BEGIN);
      server.step(job, 7);
      assertEquals("id: 2", event(in).getFirst());
      assertEquals("id: 3", event(in).getFirst());
      List<String> step = event(in);
      assertEquals(List.of("id: 4", "event: step"), step.subList(0, 2));
      JsonNode data = Json.read(step.get(2).substring("data: ".length()));
      assertEquals(7, data.at("/data/step").longValue());
      assertEquals(job.text(), data.get("job").stringValue());
      server.move(job, JobAction.COMPLETE);
      assertEquals("id: 5", event(in).getFirst());
      assertEquals(List.of("event: end", "data: {\"state\":\"SUCCEEDED\"}"), event(in));
      assertNull(in.readLine());
    }
  }

  @Test
  @Row("P45")
  void whoComesBackMissesNothing() throws IOException {
    JobId job = server.submit();
    server.step(job, 1);
    server.step(job, 2);
    try (BufferedReader in = follow(job, "Last-Event-ID", "2")) {
      assertEquals("id: 3", event(in).getFirst());
    }
  }

  @Test
  void whatTheHubDoesNotTellIsReadFromTheStore() throws IOException {
    JobId job = server.submit();
    try (BufferedReader in = follow(job)) {
      event(in);
      server.store().add(job, EventKind.STEP, "{\"step\":1}");
      server.step(job, 2);
      assertEquals("id: 2", event(in).getFirst());
      assertEquals("id: 3", event(in).getFirst());
      // Another server tells nothing here.
      server.store().add(job, EventKind.STEP, "{\"step\":3}");
      assertEquals("id: 4", event(in).getFirst());
    }
  }

  @Test
  void whatIsNoLongerKeptIsSaidToBeSo() throws IOException {
    JobId job = server.submit();
    for (int i = 0; i < 10; i++) {
      server.step(job, i);
    }
    server.store().dropBefore(6);
    try (BufferedReader in = follow(job, "Last-Event-ID", "2")) {
      assertEquals(List.of("event: reset", "data: {\"oldest\":6}"), event(in));
      assertEquals("id: 6", event(in).getFirst());
    }
  }

  @Test
  void aCommentComesWhereNothingHappens() throws IOException {
    JobId job = server.submit();
    try (BufferedReader in = follow(job)) {
      event(in);
      String line = in.readLine();
      while (line != null && line.isEmpty()) {
        line = in.readLine();
      }
      assertEquals(": still here", line);
    }
  }

  @Test
  @Row("P45")
  void aFinishedJobIsToldWholeAndEnds() throws IOException {
    JobId job = server.submit();
    client.post("/v1/jobs/" + job + "/cancel", "").expect(200);
    try (BufferedReader in = follow(job)) {
      event(in);
      event(in);
      assertEquals("event: end", event(in).getFirst());
      assertNull(in.readLine());
    }
  }

  @Tag("Ray-57002")
  @Test
  void aBrokenStoreBreaksTheStreamOffWithoutAnEnd() throws IOException {
    JobId job = server.submit();
    try (BufferedReader in = follow(job)) {
      event(in);
      server.store().broken(true);
      StringBuilder rest = new StringBuilder();
      boolean broken = false;
      try {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          rest.append(line);
        }
      } catch (IOException e) {
        broken = true;
      }
      assertTrue(broken, "the answer ended as if it were whole");
      assertTrue(!rest.toString().contains("event: end"));
    } finally {
      server.store().broken(false);
    }
  }

  @Test
  @Row("P45")
  void aNumberThatNoEventHasYetIsNoneThatWasDropped() throws IOException {
    JobId job = server.submit();
    String most = Long.toString(Long.MAX_VALUE);
    client.get("/v1/jobs/" + job + "/events?after=" + most).expect(200);
    client.post("/v1/jobs/" + job + "/cancel", "").expect(200);
    try (BufferedReader in = follow(job, "Last-Event-ID", most)) {
      assertEquals("event: end", event(in).getFirst());
    }
  }

  @Test
  @Row("P45")
  void numbersThatAreNoneAreRefused() {
    JobId job = server.submit();
    for (String id : List.of("-1", "1" + "0".repeat(30), "x")) {
      client.get("/v1/jobs/" + job + "/events", "Last-Event-ID", id).expect(422);
    }
  }

  @Test
  @Row("P45")
  void oneStreamTooManyIsRefusedAndAClosedOneMakesRoom() throws Exception {
    JobId job = server.submit();
    String path = "/v1/jobs/" + job + "/events";
    try (BufferedReader one = follow(job);
        BufferedReader two = follow(job)) {
      event(one);
      event(two);
      client.get(path, "Accept", "text/event-stream").expect(429);
    }
    client.post("/v1/jobs/" + job + "/cancel", "").expect(200);
    for (int tries = 0; tries < 50; tries++) {
      if (client.get(path, "Accept", "text/event-stream").status() == 200) {
        for (int i = 0; i < 5; i++) {
          client.send("HEAD", path, "", "Accept", "text/event-stream").expect(200);
        }
        return;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("closed streams are counted still");
  }

  @Test
  void pagesOfEventsWaitForTheFirst() throws InterruptedException {
    JobId job = server.submit();
    String path = "/v1/jobs/" + job + "/events";
    JsonNode page = client.get(path).expect(200).json();
    assertEquals(1, page.get("events").size());
    assertEquals(1, page.get("after").longValue());
    Thread later = Thread.ofVirtual().unstarted(() -> server.step(job, 1));
    later.start();
    JsonNode next = client.get(path + "?after=1&wait=20").expect(200).json();
    assertEquals(2, next.at("/events/0/number").longValue());
    later.join();
    assertEquals(0, client.get(path + "?after=2").expect(200).json().get("events").size());
    client.post("/v1/jobs/" + job + "/cancel", "").expect(200);
    assertTrue(
        client.get(path + "?after=2&wait=20").expect(200).json().get("ended").booleanValue());
  }

  @Test
  @Row("P38")
  void aReaderWhoDoesNotReadIsDroppedAndOthersAreNot() throws Exception {
    JobId job = server.submit();
    String filler = "{\"message\":\"" + "x".repeat(60_000) + "\"}";
    try (Socket stalled = new Socket(InetAddress.getLoopbackAddress(), server.port());
        BufferedReader reading = follow(job)) {
      stalled.setReceiveBufferSize(4096);
      OutputStream out = stalled.getOutputStream();
      String head =
          "GET /v1/jobs/"
              + job
              + "/events HTTP/1.1\r\nHost: localhost\r\n"
              + "Accept: text/event-stream\r\n\r\n";
      out.write(head.getBytes(StandardCharsets.UTF_8));
      event(reading);
      for (int i = 0; i < 200; i++) {
        server.hub().publish(job, List.of(server.store().add(job, EventKind.NOTICE, filler)));
        event(reading);
      }
      assertEquals(1, streams(1));
      server.step(job, 1);
      assertEquals("event: step", event(reading).get(1));
    }
  }

  @Test
  void aLongHistoryIsToldWhole() throws IOException {
    JobId job = server.submit();
    for (int step = 1; step <= 1_000; step++) {
      var _ = server.store().add(job, EventKind.STEP, "{\"step\":" + step + "}");
    }
    server.move(job, JobAction.ASK_CANCEL);
    for (int reader = 0; reader < 5; reader++) {
      try (BufferedReader reading = follow(job)) {
        for (int number = 1; number <= 1_002; number++) {
          assertEquals("id: " + number, event(reading).get(0));
        }
        assertEquals("event: end", event(reading).get(0));
      }
    }
  }

  @Test
  void aHistoryLargerThanWhatMayWaitIsToldWhole() throws IOException {
    JobId job = server.submit();
    String filler = "{\"message\":\"" + "x".repeat(20_000) + "\"}";
    for (int event = 1; event <= 400; event++) {
      var _ = server.store().add(job, EventKind.NOTICE, filler);
    }
    server.move(job, JobAction.ASK_CANCEL);
    try (BufferedReader reading = follow(job)) {
      for (int number = 1; number <= 402; number++) {
        assertEquals("id: " + number, event(reading).get(0));
      }
      assertEquals("event: end", event(reading).get(0));
    }
  }

  private int streams(int wanted) throws InterruptedException {
    int open = -1;
    for (int tries = 0; tries < 100 && open != wanted; tries++) {
      String line =
          client
              .get("/metrics")
              .expect(200)
              .text()
              .lines()
              .filter(each -> each.startsWith("halfcell_http_streams "))
              .findFirst()
              .orElse("x -1");
      open = (int) Double.parseDouble(line.substring(line.indexOf(' ')));
      Thread.sleep(50);
    }
    return open;
  }
}
