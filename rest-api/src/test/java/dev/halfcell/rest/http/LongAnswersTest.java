package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Long answers are sent in turn, a piece at a time. */
final class LongAnswersTest {
  private static final int PIECE = 32_768;

  private long now;
  private final Queue<Runnable> timers = new ArrayDeque<>();
  private final LongAnswers answers = new LongAnswers(timers::add, () -> now);
  private final List<String> order = new ArrayList<>();

  /** A reader of an answer, and what it was sent. */
  private final class Reader {
    private final HttpServerResponse response = mock();
    private final Buffer sent = Buffer.buffer();
    private final Queue<Promise<Void>> untaken = new ArrayDeque<>();

    Reader(String name, boolean takes, long nanosecondsOfAPiece) {
      when(response.write(any(Buffer.class)))
          .thenAnswer(
              call -> {
                order.add(name);
                sent.appendBuffer(call.getArgument(0));
                now += nanosecondsOfAPiece;
                Promise<Void> taken = Promise.promise();
                if (takes) {
                  taken.complete();
                } else {
                  untaken.add(taken);
                }
                return taken.future();
              });
      when(response.end(any(Buffer.class)))
          .thenAnswer(
              call -> {
                order.add(name + " ends");
                sent.appendBuffer(call.getArgument(0));
                return Future.succeededFuture();
              });
    }
  }

  private static Buffer body(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return Buffer.buffer(bytes);
  }

  @Test
  void anAnswerThatIsAloneIsSentAtOnce() {
    Reader reader = new Reader("a", true, 0);
    Buffer body = body(3 * PIECE + 1);
    answers.send(reader.response, body);
    assertEquals(List.of("a", "a", "a", "a ends"), order);
    assertEquals(body, reader.sent);
    assertTrue(timers.isEmpty());
  }

  @Test
  void anAnswerOfWholePiecesHasNoEmptyOne() {
    Reader reader = new Reader("a", true, 0);
    Buffer body = body(2 * PIECE);
    answers.send(reader.response, body);
    assertEquals(List.of("a", "a ends"), order);
    assertEquals(body, reader.sent);
  }

  /** Each piece takes as long as a turn may: all else goes between. */
  @Test
  void longAnswersAreSentInTurnWithAllElseBetween() {
    Reader first = new Reader("a", true, 2_000_000);
    Reader second = new Reader("b", true, 2_000_000);
    Buffer body = body(3 * PIECE);
    answers.send(first.response, body);
    answers.send(second.response, body);
    List<Integer> after = new ArrayList<>();
    while (!timers.isEmpty()) {
      assertEquals(1, timers.size());
      timers.remove().run();
      after.add(order.size());
    }
    assertEquals(List.of("a", "a", "b", "a ends", "b", "b ends"), order);
    assertEquals(List.of(2, 3, 5, 6), after, "an end takes no time here");
    assertEquals(body, first.sent);
    assertEquals(body, second.sent);
  }

  @Test
  void whoTakesNothingIsSentNothingMoreAndHoldsNobodyUp() {
    Reader still = new Reader("still", false, 0);
    Reader other = new Reader("b", true, 0);
    Buffer body = body(2 * PIECE + 5);
    answers.send(still.response, body);
    answers.send(other.response, body);
    assertEquals(List.of("still", "b", "b", "b ends"), order);
    assertTrue(timers.isEmpty());
    still.untaken.remove().complete();
    still.untaken.remove().complete();
    assertEquals(body, still.sent);
    assertEquals("still ends", order.getLast());
  }

  @Test
  void whoIsGoneIsSentNothingMore() {
    Reader reader = new Reader("a", false, 0);
    answers.send(reader.response, body(3 * PIECE));
    when(reader.response.closed()).thenReturn(true);
    reader.untaken.remove().complete();
    assertEquals(List.of("a"), order);
    Reader next = new Reader("b", true, 0);
    answers.send(next.response, body(PIECE + 1));
    assertEquals(List.of("a", "b", "b ends"), order);
  }

  @Test
  void whoseConnectionBrokeIsSentNothingMore() {
    Reader reader = new Reader("a", false, 0);
    answers.send(reader.response, body(3 * PIECE));
    reader.untaken.remove().fail("reset");
    assertEquals(List.of("a"), order);
    assertTrue(timers.isEmpty());
  }
}
