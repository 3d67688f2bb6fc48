package dev.halfcell.rest.store;

import dev.halfcell.tensor.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of PostgreSQL, which several servers may share. */
final class PostgresDatabase implements Database {
  private static final int CONNECTIONS = 10;
  private static final int WAIT_SECONDS = 5;
  private static final int TRIES = 5;

  /** Where the network has gone silent, a server must know before its hold on jobs is over. */
  private static final int ANSWER_MILLISECONDS = 10_000;

  /**
   * Below that: whoever waits for another server's lock gives up before its connection is cut, for
   * PostgreSQL would go on waiting for it.
   */
  private static final String LOCK_WAIT = "8s";

  /** A server that stands still in a transaction must not keep the others from theirs. */
  private static final String STANDING = "10s";

  /** Any number that no other program takes for the same. */
  private static final long ACCEPT_LOCK = 0x48616c6643656c6cL;

  /** Serialization failure and deadlock: the transaction was rolled back, and may be run anew. */
  private static final Set<String> ROLLED_BACK = Set.of("40001", "40P01");

  /** A lock was waited for for too long. */
  private static final String LOCKED = "55P03";

  private final Pool pool;
  private final String where;
  private final Together<Accepting> accepts =
      new Together<>(this::acceptAll, this::failure, PostgresDatabase::away);

  private PostgresDatabase(Pool pool, String where) {
    this.pool = pool;
    this.where = where;
  }

  static PostgresDatabase open(StoreSettings.Postgres settings) {
    PostgresUrl url = PostgresUrl.parse(settings.url());
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url.jdbc());
    settings.user().or(url::user).ifPresent(source::setUser);
    settings.password().ifPresent(source::setPassword);
    if (source.getConnectTimeout() == 0 || source.getConnectTimeout() > WAIT_SECONDS) {
      source.setConnectTimeout(WAIT_SECONDS);
    }
    if (source.getLoginTimeout() == 0) {
      source.setLoginTimeout(WAIT_SECONDS); // a database may take a connection and be silent
    }
    PostgresDatabase database =
        new PostgresDatabase(new Pool(() -> connection(source), CONNECTIONS), url.shown());
    database.read(connection -> true); // whether it answers is better said by us than by Flyway
    database.requireSyncs();
    Schema schema = new Schema(source, url.shown(), "common");
    schema.refuseNewer();
    schema.migrate();
    return database;
  }

  /** What a session cannot set for itself: without it a commit is no promise. */
  private void requireSyncs() {
    String fsync =
        read(connection -> Sql.first(connection, "SHOW fsync", row -> row.getString(1)).orElse(""));
    if (fsync.equals("off")) {
      throw new StoreException(
          new Problem(
              "job store",
              where,
              "a PostgreSQL that has its disk keep what it commits",
              "one with fsync = off",
              "Set fsync = on in its postgresql.conf, and have it read that anew."));
    }
  }

  /** One that fails in time, and whose commits lie on the disk, whatever the database is set to. */
  private static Connection connection(DataSource source) throws SQLException {
    Connection connection = source.getConnection();
    connection.setNetworkTimeout(Runnable::run, ANSWER_MILLISECONDS);
    Sql.query(
        connection,
        "SELECT set_config('synchronous_commit', 'on', false)"
            + " WHERE current_setting('synchronous_commit') = 'off'",
        row -> row.getString(1));
    Sql.query(
        connection,
        "SELECT set_config('lock_timeout', ?, false),"
            + " set_config('idle_in_transaction_session_timeout', ?, false)",
        row -> true,
        LOCK_WAIT,
        STANDING);
    return connection;
  }

  @Override
  public <T> T read(Work<T> work) {
    try {
      return pool.use(work);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public <T> T write(Work<T> work) {
    try {
      return retried(work);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public <T> T accept(Together.Part<Accepting, T> part) {
    return accepts.run(part);
  }

  /** Other servers wait at the lock, so those of this one go together, and count once. */
  private void acceptAll(List<Together.Call<Accepting, ?>> calls) throws SQLException {
    retried(
        connection -> {
          Sql.query(connection, "SELECT pg_advisory_xact_lock(?)", row -> true, ACCEPT_LOCK);
          Accepting accepting = new Accepting(connection, JobCounts.COUNTED);
          for (Together.Call<Accepting, ?> call : calls) {
            call.run(accepting);
          }
          return true;
        });
  }

  private <T> T retried(Work<T> work) throws SQLException {
    for (int tried = 1; ; tried++) {
      try {
        return pool.use(connection -> transaction(connection, work));
      } catch (SQLException e) {
        if (tried == TRIES || e.getSQLState() == null || !ROLLED_BACK.contains(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  private static <T> T transaction(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    T value = work.on(connection); // where it throws, the connection is closed, and so rolled back
    connection.commit();
    connection.setAutoCommit(true);
    return value;
  }

  @Override
  public long moment() {
    return KnownTexts.NEVER;
  }

  @Override
  public String forUpdate() {
    return " FOR UPDATE";
  }

  @Override
  public String skipLocked() {
    return " FOR UPDATE OF j SKIP LOCKED";
  }

  @Override
  public void close() {
    accepts.end(
        () -> {
          try {
            pool.close();
          } catch (SQLException e) {
            throw failure(e);
          }
        });
  }

  /** It does not answer, ends or has no room, or another server stands still. */
  private static boolean away(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.startsWith("53")
        || state.equals(LOCKED);
  }

  private StoreException failure(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    String got = String.valueOf(e.getMessage());
    if (e instanceof Damage) {
      return problem("what was written", got, "Restore it from a backup.", e);
    }
    if (state.startsWith("28") || state.startsWith("3D")) {
      return problem(
          "a PostgreSQL that lets this user in", got, "Check database, user and password.", e);
    }
    if (state.startsWith("08") || state.startsWith("57P") || state.equals("null")) {
      return problem(
          "a PostgreSQL that answers",
          got,
          "See that it runs; what was being written may have been kept or not.",
          e);
    }
    if (state.startsWith("53")) {
      return problem(
          "room and connections in PostgreSQL", got, "Free some; nothing needs a restart.", e);
    }
    if (state.equals(LOCKED)) {
      return problem(
          "a lock that no other server keeps for longer than " + LOCK_WAIT,
          got,
          "Try again; PostgreSQL ends a transaction that stands still after " + STANDING + ".",
          e);
    }
    if (state.equals("25006")) {
      return problem("a database that can be written", got, "Name the primary server.", e);
    }
    return problem("that it can be read and written", got, "See PostgreSQL's log.", e);
  }

  private StoreException problem(String expected, String got, String fix, SQLException e) {
    return new StoreException(
        new Problem("job store", where, expected, got.replaceAll("\\s+", " "), fix), e);
  }
}
