package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.store.SealedJob.SealedAttempt;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KnownTextsTest {
  private final List<String> opened = new ArrayList<>();
  private final KnownTexts<Texts, String> known = new KnownTexts<>(100);

  private record Texts(String id, String text, List<String> opened)
      implements KnownTexts.Sealed<String> {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public String open() {
      opened.add(text);
      return text;
    }
  }

  private void open(String id, String text) throws SQLException {
    assertEquals(text, known.open(new Texts(id, text, opened)));
  }

  @Test
  void textsAreOpenedAgainWhereTheyAreOthers() throws SQLException {
    open("a", "one");
    open("a", "one");
    open("b", "one");
    open("a", "two");
    open("a", "two");
    open("a", "one");
    assertEquals(List.of("one", "one", "two", "one"), opened);
  }

  @Test
  void textsAreKnownAtTheMomentsAtWhichTheyWereSeen() throws SQLException {
    assertEquals(Optional.empty(), known.asOf("a", 2));
    open("a", "one");
    assertEquals(Optional.empty(), known.asOf("a", KnownTexts.NEVER));
    known.open(new Texts("a", "one", opened), 2);
    assertEquals(Optional.of("one"), known.asOf("a", 2));
    assertEquals(Optional.empty(), known.asOf("a", 4));
    known.open(new Texts("a", "two", opened), 4);
    assertEquals(Optional.of("two"), known.asOf("a", 4));
    open("a", "two");
    assertEquals(Optional.of("two"), known.asOf("a", 4));
    assertEquals(Optional.empty(), known.asOf("a", 2));
    assertEquals(List.of("one", "two"), opened);
  }

  /** Twice as much is held as the texts are long: them, and what they say. */
  @Test
  void noMoreIsKnownThanThereIsRoomFor() throws SQLException {
    open("too long", "x".repeat(51));
    open("too long", "x".repeat(51));
    assertEquals(2, opened.size());
    open("fits", "x".repeat(50));
    open("fits", "x".repeat(50));
    assertEquals(3, opened.size());
    for (int time = 0; time < 2; time++) {
      for (int job = 0; job < 8; job++) {
        open("job " + job, "x".repeat(25));
      }
    }
    assertTrue(opened.size() > 3 + 8, () -> opened.size() + " opened");
  }

  @Test
  void aJobIsAsLongAsAllItsTexts() {
    SealedSummary summary = new SealedSummary("id", Optional.empty(), 1, 0, "12345");
    SealedJob job =
        new SealedJob(
            summary,
            Optional.of("1234"),
            "123",
            "12",
            List.of(new SealedAttempt(1, "1"), new SealedAttempt(2, "1")));
    assertEquals(5 + 4 + 3 + 2 + 1 + 1, job.length());
  }
}
