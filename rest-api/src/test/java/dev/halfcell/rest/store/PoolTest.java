package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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

  /** As many as once worked together would be held for ever. */
  @Test
  void whatNobodyNeededForHalfAMinuteIsClosed() throws Exception {
    List<Connection> opened = new ArrayList<>();
    List<Connection> closed = new ArrayList<>();
    AtomicLong seconds = new AtomicLong(-5);
    Pool pool =
        new Pool(
            () -> {
              Connection connection = mock(Connection.class);
              doAnswer(
                      _ -> {
                        closed.add(connection);
                        throw new SQLException("as a database that is gone has it");
                      })
                  .when(connection)
                  .close();
              opened.add(connection);
              return connection;
            },
            3,
            () -> seconds.get() * 1_000_000_000);
    pool.use(_ -> pool.use(_ -> pool.use(_ -> opened.size())));
    assertEquals(3, opened.size());
    for (int second = 0; second <= 25; second++) {
      seconds.set(second);
      pool.use(_ -> 0);
    }
    assertEquals(List.of(), closed);
    seconds.set(26);
    for (int use = 0; use < 5; use++) {
      assertSame(opened.getFirst(), pool.use(connection -> connection));
    }
    assertEquals(Set.copyOf(opened.subList(1, 3)), Set.copyOf(closed));
    assertThrows(SQLException.class, pool::close);
    assertEquals(Set.copyOf(opened), Set.copyOf(closed));
  }
}
