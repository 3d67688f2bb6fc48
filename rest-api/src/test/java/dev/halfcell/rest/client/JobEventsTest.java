package dev.halfcell.rest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every event is told once and in order, however the stream breaks; only {@code end} ends it. */
final class JobEventsTest {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
  private static final int ALL = 4;

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** What a service sends behind this event. */
  private static String rest(long after) {
    StringBuilder rest = new StringBuilder(": hello\n\n");
    for (long number = after + 1; number <= ALL; number++) {
      rest.append(Jobs.event(number, "step", "{\"step\":" + number + ",\"loss\":null}"));
    }
    return rest + Jobs.end("SUCCEEDED");
  }

  private static long after(ScriptedServer.Request request) {
    return Long.parseLong(request.header("last-event-id"));
  }

  private static List<Long> all(JobEvents events) {
    List<Long> numbers = new ArrayList<>();
    for (Optional<Event> next = events.next(); next.isPresent(); next = events.next()) {
      numbers.add(next.get().number());
    }
    return numbers;
  }

  private static final List<Long> EACH = LongStream.rangeClosed(1, ALL).boxed().toList();

  private static List<Long> all(HalfCellClient client, int cut) {
    try (JobEvents events = client.events("%032x".formatted(cut), 0)) {
      List<Long> numbers = all(events);
      assertEquals(Optional.of(JobState.SUCCEEDED), events.outcome());
      return numbers;
    }
  }

  /** Of each job the first connection is cut, where its id says; the next ones are whole. */
  @Tag("Ray-57002")
  @Test
  void aStreamThatEndsAnywhereIsTakenUpAgain() throws Exception {
    int length = rest(0).length();
    Set<String> begun = ConcurrentHashMap.newKeySet();
    List<Future<List<Long>>> cuts = new ArrayList<>();
    try (ScriptedServer server =
            new ScriptedServer(
                (request, out) -> {
                  String body = rest(after(request));
                  boolean first = begun.add(request.path());
                  int cut = Integer.parseInt(request.path().substring(9, 41), 16);
                  write(out, HEAD + (first ? body.substring(0, cut) : body));
                });
        HalfCellClient client = server.client();
        ExecutorService threads = Executors.newFixedThreadPool(16)) {
      for (int cut = 0; cut < length; cut++) {
        int at = cut;
        cuts.add(threads.submit(() -> all(client, at)));
      }
      for (Future<List<Long>> each : cuts) {
        assertEquals(EACH, each.get());
      }
      assertEquals(2 * length, server.requests().size());
    }
  }

  @Test
  void aStreamThatFallsSilentIsTakenUpAgain() {
    AtomicInteger connections = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (request, out) -> {
                  String body = rest(after(request));
                  if (connections.getAndIncrement() == 0) {
                    write(out, HEAD + body.substring(0, body.length() / 2));
                    Thread.sleep(10_000);
                  }
                  write(out, HEAD + body);
                });
        HalfCellClient client = server.client();
        JobEvents events = client.events(Jobs.ID, 0)) {
      assertEquals(EACH, all(events));
      assertEquals(2, connections.get());
    }
  }

  @Test
  void whatAServerSendsTwiceIsToldOnce() {
    AtomicInteger connections = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) -> {
                  String body = rest(0);
                  boolean first = connections.getAndIncrement() == 0;
                  write(out, HEAD + (first ? body.substring(0, body.length() - 20) : body));
                });
        HalfCellClient client = server.client();
        JobEvents events = client.events(Jobs.ID, 0)) {
      assertEquals(EACH, all(events));
    }
  }

  @Test
  void aServerThatIsGoneIsGivenUpInTime() {
    AtomicInteger connections = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) -> {
                  if (connections.getAndIncrement() == 0) {
                    write(out, HEAD + Jobs.event(1, "step", "{}"));
                  }
                });
        HalfCellClient client = server.client(Duration.ofSeconds(1));
        JobEvents events = client.events(Jobs.ID, 0)) {
      long begun = System.nanoTime();
      assertEquals(1, events.next().orElseThrow().number());
      UnreachableException e = assertThrows(UnreachableException.class, events::next);
      assertTrue(e.problem().message().contains("/events"), e.problem().message());
      assertTrue(System.nanoTime() - begun < 20_000_000_000L, "it took too long");
      assertEquals(Optional.empty(), events.outcome());
      assertEquals("1", server.requests().getLast().header("last-event-id"));
    }
  }

  @Test
  void aStreamWithNothingInItIsGivenUpToo() {
    try (ScriptedServer server = new ScriptedServer((_, out) -> write(out, HEAD + ": hello\n\n"));
        HalfCellClient client = server.client(Duration.ofSeconds(1));
        JobEvents events = client.events(Jobs.ID, 0)) {
      assertThrows(UnreachableException.class, events::next);
      assertTrue(server.requests().size() < 8, "it asks without pause");
    }
  }

  @Test
  void aServerThatRestartsIsWaitedFor() {
    AtomicInteger connections = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (request, out) -> {
                  switch (connections.getAndIncrement()) {
                    case 0 -> write(out, HEAD + Jobs.event(1, "step", "{}"));
                    case 1 -> {}
                    case 2 ->
                        out.write(ScriptedServer.problem(503, "Not now", "x", "Retry-After: 0"));
                    default -> write(out, HEAD + rest(after(request)));
                  }
                });
        HalfCellClient client = server.client();
        JobEvents events = client.events(Jobs.ID, 0)) {
      assertEquals(EACH, all(events));
      assertEquals(4, connections.get());
    }
  }

  /** It says so, in place of the job's end; the answer itself is whole. */
  @Test
  void aServerThatEndsIsFollowedByTheNext() {
    AtomicInteger connections = new AtomicInteger();
    try (ScriptedServer server =
            new ScriptedServer(
                (request, out) -> {
                  if (connections.getAndIncrement() == 0) {
                    write(
                        out,
                        HEAD
                            + Jobs.event(1, "step", "{}")
                            + "event: closing\nretry: 1000\n"
                            + "data: {\"reason\":\"SERVER_ENDS\"}\n\n");
                  } else {
                    write(out, HEAD + rest(after(request)));
                  }
                });
        HalfCellClient client = server.client();
        JobEvents events = client.events(Jobs.ID, 0)) {
      assertEquals(EACH, all(events));
      assertEquals(2, connections.get());
      assertEquals("1", server.requests().getLast().header("last-event-id"));
    }
  }

  @Test
  void aResetSaysWhereItGoesOn() {
    try (ScriptedServer server =
            new ScriptedServer(
                (_, out) ->
                    write(
                        out,
                        HEAD
                            + "event: reset\ndata: {\"oldest\":900}\n\n"
                            + Jobs.event(900, "later", "{\"text\":\"\\u00e4\"}")
                            + Jobs.end("CANCELLED")));
        HalfCellClient client = server.client();
        JobEvents events = client.events(Jobs.ID, 7)) {
      Event event = events.next().orElseThrow();
      assertEquals("7", server.requests().getFirst().header("last-event-id"));
      assertEquals(900, event.number());
      assertEquals("later", event.kind());
      assertEquals(Optional.of("ä"), event.text("text"));
      assertEquals(Optional.empty(), events.next());
      assertEquals(Optional.of(JobState.CANCELLED), events.outcome());
    }
  }

  @Test
  void linesMayEndInAnyWay() throws IOException {
    String stream = "event: a\r\ndata: 1\r\ndata:2\r\n\r\nevent:b\rdata\r\r: c\n\ndata: ü\n\n";
    EventParser parser = new EventParser();
    List<EventParser.Frame> frames = new ArrayList<>();
    for (byte each : stream.getBytes(StandardCharsets.UTF_8)) {
      frames.addAll(parser.feed(new byte[] {each}));
    }
    assertEquals(
        List.of(
            new EventParser.Frame("a", "1\n2"),
            new EventParser.Frame("b", ""),
            new EventParser.Frame("", "ü")),
        frames);
  }

  @Test
  void anEventWithoutEndIsNoEvent() {
    EventParser parser = new EventParser();
    byte[] much = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    assertThrows(
        IOException.class,
        () -> {
          parser.feed("data: ".getBytes(StandardCharsets.UTF_8));
          parser.feed(much);
        });
  }

  @Test
  void aPageInThePlaceOfEventsIsNoAnswer() {
    try (ScriptedServer server =
            new ScriptedServer((_, out) -> out.write(ScriptedServer.json(200, "{}")));
        HalfCellClient client = server.client();
        JobEvents events = client.events(Jobs.ID, 0)) {
      assertThrows(AnswerException.class, events::next);
    }
  }
}
