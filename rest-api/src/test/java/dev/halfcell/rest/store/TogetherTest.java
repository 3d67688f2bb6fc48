package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.Problem;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of calls whose transaction fails. */
final class TogetherTest {
  private static final int CALLERS = 12;

  private final AtomicInteger transactions = new AtomicInteger();
  private final CountDownLatch all = new CountDownLatch(CALLERS);

  private Together<Integer> failing(String state) {
    return new Together<>(
        calls -> {
          transactions.incrementAndGet();
          awaitAll();
          throw new SQLException("as a test has it", state);
        },
        e -> new StoreException(new Problem("job store", "here", "an answer", "none", ""), e),
        e -> String.valueOf(e.getSQLState()).startsWith("08"));
  }

  /** The first transaction has one call, for the others come while it is under way. */
  private void awaitAll() {
    try {
      all.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Boolean> callers(Together<Integer> together) throws Exception {
    return AcceptContract.together(
        CALLERS,
        _ -> {
          all.countDown();
          try {
            together.run(each -> each);
            return false;
          } catch (StoreException _) {
            return true;
          }
        });
  }

  /** Each call alone would wait for it as long. */
  @Test
  void whereTheDatabaseIsAwayAllAreToldAtOnce() throws Exception {
    List<Boolean> refused = callers(failing("08006"));
    assertTrue(refused.stream().allMatch(each -> each));
    assertTrue(transactions.get() < CALLERS, () -> transactions + " transactions");
  }

  @Test
  void whereACallFailsEachIsTriedAlone() throws Exception {
    List<Boolean> refused = callers(failing("23505"));
    assertEquals(CALLERS, refused.stream().filter(each -> each).count());
    assertTrue(transactions.get() >= CALLERS, () -> transactions + " transactions");
  }
}
