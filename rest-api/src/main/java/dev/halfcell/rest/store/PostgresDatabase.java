package dev.halfcell.rest.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.halfcell.tensor.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** A database of PostgreSQL, which several servers may share. */
final class PostgresDatabase implements Database {
  private static final int CONNECTIONS = 10;
  private static final long WAIT_MILLIS = 5_000;
  private static final int TRIES = 5;

  /** Any number that no other program takes for the same. */
  private static final long ACCEPT_LOCK = 0x48616c6643656c6cL;

  /** Serialization failure and deadlock: the transaction was rolled back, and may be run anew. */
  private static final Set<String> ROLLED_BACK = Set.of("40001", "40P01");

  private final HikariDataSource pool;
  private final String where;

  private PostgresDatabase(HikariDataSource pool, String where) {
    this.pool = pool;
    this.where = where;
  }

  static PostgresDatabase open(StoreSettings.Postgres settings) {
    PostgresUrl url = PostgresUrl.parse(settings.url());
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url.jdbc());
    settings.user().or(url::user).ifPresent(config::setUsername);
    settings.password().ifPresent(config::setPassword);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(WAIT_MILLIS);
    config.setPoolName("halfcell-store");
    // Whatever the database is set to: what was accepted lies on its disk.
    config.setConnectionInitSql(
        "SELECT set_config('synchronous_commit', 'on', false)"
            + " WHERE current_setting('synchronous_commit') = 'off'");
    PostgresDatabase database = new PostgresDatabase(pool(config, url.shown()), url.shown());
    try {
      Schema schema = new Schema(database.pool, url.shown(), "common");
      schema.refuseNewer();
      schema.migrate();
      return database;
    } catch (StoreException e) {
      database.close();
      throw e;
    }
  }

  private static HikariDataSource pool(HikariConfig config, String where) {
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      throw new StoreException(
          new Problem(
              "job store",
              where,
              "a PostgreSQL that lets this user in",
              e.getCause() == null ? "none" : String.valueOf(e.getCause().getMessage()),
              "Check host, port, database, user and password."),
          e);
    }
  }

  @Override
  public <T> T read(Work<T> work) {
    try (Connection connection = pool.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public <T> T write(Work<T> work) {
    for (int tried = 1; ; tried++) {
      try (Connection connection = pool.getConnection()) {
        return transaction(connection, work);
      } catch (SQLException e) {
        if (tried == TRIES || e.getSQLState() == null || !ROLLED_BACK.contains(e.getSQLState())) {
          throw failure(e);
        }
      }
    }
  }

  private static <T> T transaction(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    try {
      T value = work.on(connection);
      connection.commit();
      return value;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.rollback();
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
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
  public void acceptAlone(Connection connection) throws SQLException {
    Sql.first(connection, "SELECT pg_advisory_xact_lock(?)", row -> true, ACCEPT_LOCK);
  }

  @Override
  public void close() {
    pool.close();
  }

  private StoreException failure(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    String got = String.valueOf(e.getMessage());
    if (e instanceof Damage) {
      return problem("what was written", got, "Restore it from a backup.", e);
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
