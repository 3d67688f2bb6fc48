package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction that accepts many jobs counts the queue once, and holds the caps all the same. */
final class AcceptingTest {
  @TempDir private Path folder;

  @Test
  void jobsOfOneTransactionAreCountedOnce() throws SQLException {
    SqliteFile file = new SqliteFile(folder.resolve("jobs.db"));
    new Schema(file.source(), "here", "common", "sqlite").migrate();
    try (Connection real = file.source().getConnection()) {
      Connection connection = spy(real);
      Accepting accepting = new Accepting(connection, JobCounts.COUNTED);
      AcceptLimits limits = new AcceptLimits(5, 3);
      assertAccepted(accepting.accept(job("ann", 0), limits));
      assertAccepted(accepting.accept(Jobs.keyed(job("ann", 1), "key", "request"), limits));
      // What is there already is not counted again.
      assertInstanceOf(
          Acceptance.Replayed.class,
          accepting.accept(Jobs.keyed(job("ann", 2), "key", "request"), limits));
      assertAccepted(accepting.accept(job("ann", 3), limits));
      assertEquals(new Acceptance.QuotaReached(3, 3), accepting.accept(job("ann", 4), limits));
      assertEquals(
          List.of(new Acceptance.QueueFull(3, 5)),
          accepting.acceptAll(List.of(job("bob", 5), job("bob", 6), job("bob", 7)), limits));
      accepting
          .acceptAll(List.of(job("bob", 8), job("bob", 9)), limits)
          .forEach(AcceptingTest::assertAccepted);
      assertEquals(new Acceptance.QueueFull(5, 5), accepting.accept(job("eve", 10), limits));
      // The queue, and the jobs of ann and of bob.
      verify(connection, times(3)).prepareStatement(contains("SUM(jobs)"));
      assertEquals(5, Sql.number(real, "SELECT COUNT(*) FROM job"));
    }
  }

  private static NewJob job(String owner, int at) {
    return Jobs.job(owner, 0, 1, Jobs.at(at));
  }

  private static void assertAccepted(Acceptance acceptance) {
    assertInstanceOf(Acceptance.Accepted.class, acceptance);
  }
}
