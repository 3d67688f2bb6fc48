package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
    private final String name;
    private final HttpServerResponse response = mock();
    private final Buffer sent = Buffer.buffer();
    private final Queue<Promise<Void>> untaken = new ArrayDeque<>();

    Reader(String name, boolean takes, long nanosecondsOfAPiece) {
      this.name = name;
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
      when(response.end())
          .thenAnswer(
              _ -> {
                order.add(name + " ends");
                return Future.succeededFuture();
              });
    }

    void asks(Buffer body) {
      answers.send(response, body, () -> order.add(name + " is cut"));
    }
  }

  private static Buffer body(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return Buffer.buffer(bytes);
  }

  private void runTimers() {
    while (!timers.isEmpty()) {
      assertEquals(1, timers.size());
      now += 1_000_000;
      timers.remove().run();
    }
  }

  @Test
  void anAnswerThatIsAloneIsSentAtOnce() {
    Reader reader = new Reader("a", true, 0);
    Buffer body = body(3 * PIECE + 1);
    reader.asks(body);
    assertEquals(List.of("a", "a", "a", "a", "a ends"), order);
    assertEquals(body, reader.sent);
    assertTrue(timers.isEmpty());
  }

  @Test
  void anAnswerOfWholePiecesHasNoEmptyOne() {
    Reader reader = new Reader("a", true, 0);
    Buffer body = body(2 * PIECE);
    reader.asks(body);
    assertEquals(List.of("a", "a", "a ends"), order);
    assertEquals(body, reader.sent);
  }

  /** Each piece takes as long as a turn may. */
  @Test
  void longAnswersAreSentInTurnWithAllElseBetween() {
    Reader first = new Reader("a", true, 2_000_000);
    Reader second = new Reader("b", true, 2_000_000);
    Buffer body = body(3 * PIECE);
    first.asks(body);
    second.asks(body);
    List<Integer> pieces = new ArrayList<>();
    while (!timers.isEmpty()) {
      assertEquals(1, timers.size());
      pieces.add(first.sent.length() / PIECE + second.sent.length() / PIECE);
      now += 1_000_000;
      timers.remove().run();
    }
    assertEquals(List.of(1, 2, 3, 4, 5), pieces);
    assertEquals(List.of("a", "a", "b", "a", "a ends", "b", "b", "b ends"), order);
    assertEquals(body, first.sent);
    assertEquals(body, second.sent);
  }

  /** Nothing of the one before waits where the next is asked for. */
  @Test
  void answersOneBehindTheOtherShareATurn() {
    List<Reader> readers =
        List.of(
            new Reader("a", true, 1_000_000),
            new Reader("b", true, 1_000_000),
            new Reader("c", true, 1_000_000));
    readers.forEach(each -> each.asks(body(PIECE)));
    assertEquals(List.of("a", "a ends", "b", "b ends"), order);
    runTimers();
    assertEquals(List.of("a", "a ends", "b", "b ends", "c", "c ends"), order);
  }

  @Test
  void readersWhoMakeRoomOneBehindTheOtherShareATurn() {
    Reader first = new Reader("a", false, 0);
    Reader second = new Reader("b", false, 0);
    first.asks(body(2 * PIECE));
    second.asks(body(2 * PIECE));
    now += 2_500_000;
    first.untaken.remove().complete();
    assertEquals(List.of("a", "b"), order, "the turn is over");
    runTimers();
    second.untaken.remove().complete();
    assertEquals(List.of("a", "b", "a", "b"), order);
  }

  @Test
  void theNextTurnBeginsAfterAPause() {
    Reader first = new Reader("a", true, 2_000_000);
    Reader second = new Reader("b", true, 2_000_000);
    first.asks(body(PIECE));
    now += 1_000_000;
    second.asks(body(PIECE));
    assertEquals(List.of("a", "a ends", "b", "b ends"), order);
  }

  @Test
  void whoTakesNothingIsSentNothingMoreAndHoldsNobodyUp() {
    Reader still = new Reader("still", false, 0);
    Reader other = new Reader("b", true, 0);
    Buffer body = body(2 * PIECE + 5);
    still.asks(body);
    other.asks(body);
    assertEquals(List.of("still", "b", "b", "b", "b ends"), order);
    assertTrue(timers.isEmpty());
    still.untaken.remove().complete();
    still.untaken.remove().complete();
    assertEquals(body, still.sent);
    assertEquals("still", order.getLast(), "its last piece is not taken");
    still.untaken.remove().complete();
    assertEquals("still ends", order.getLast());
  }

  @Test
  void whoIsGoneIsSentNothingMore() {
    Reader reader = new Reader("a", false, 0);
    reader.asks(body(3 * PIECE));
    when(reader.response.closed()).thenReturn(true);
    reader.untaken.remove().complete();
    assertEquals(List.of("a"), order);
    Reader next = new Reader("b", true, 0);
    next.asks(body(1));
    assertEquals(List.of("a", "b", "b ends"), order);
  }

  /** It would wait for bytes that do not come. */
  @Test
  void aConnectionOnWhichAPieceFailsIsCut() {
    Reader reader = new Reader("a", false, 0);
    reader.asks(body(3 * PIECE));
    reader.untaken.remove().fail("no memory for it");
    assertEquals(List.of("a", "a is cut"), order);
    assertTrue(timers.isEmpty());
  }

  @Test
  void aDefectOfOneAnswerHoldsUpNoOther() {
    Reader broken = new Reader("a", true, 0);
    when(broken.response.write(any(Buffer.class))).thenThrow(new IllegalStateException("ended"));
    assertThrows(IllegalStateException.class, () -> broken.asks(body(PIECE)));
    Reader other = new Reader("b", true, 0);
    other.asks(body(PIECE));
    assertEquals(List.of("b", "b ends"), order);
  }
}
