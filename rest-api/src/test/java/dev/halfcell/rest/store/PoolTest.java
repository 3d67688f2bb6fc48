package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What a pool does with a connection in whose transaction something failed. */
final class PoolTest {
  private static final int CALLS = 20_000;

  /** Its transaction is open until it is closed: whoever had it would work in that. */
  @Test
  void aConnectionThatFailedIsLentToNobodyElse() throws Exception {
    Set<Connection> failed = ConcurrentHashMap.newKeySet();
    Pool pool = new Pool(() -> mock(Connection.class, withSettings().stubOnly()), 4);
    var lent =
        AcceptContract.together(
            4,
            thread -> {
              int found = 0;
              for (int call = 0; call < CALLS; call++) {
                found += thread % 2 == 0 ? fails(pool, failed) : works(pool, failed);
              }
              return found;
            });
    assertEquals(0, lent.stream().mapToInt(Integer::intValue).sum(), "lent after they failed");
  }

  private static int works(Pool pool, Set<Connection> failed) {
    try {
      return pool.use(connection -> failed.contains(connection) ? 1 : 0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int fails(Pool pool, Set<Connection> failed) {
    int[] found = new int[1];
    try {
      pool.use(
          connection -> {
            found[0] = failed.add(connection) ? 0 : 1;
            throw new SQLException("as a test has it");
          });
    } catch (SQLException _) {
      return found[0];
    }
    throw new IllegalStateException("it was to fail");
  }
}
