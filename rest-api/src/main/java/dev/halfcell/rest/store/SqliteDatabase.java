package dev.halfcell.rest.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file of SQLite. One connection writes. Whoever has it does the work of all who wait for it in
 * one transaction: a sync of the disk takes longer than the work of many.
 */
final class SqliteDatabase implements Database {
  private static final int READERS = 4;
  private static final int TOGETHER = 128;

  private final SqliteFile file;
  private final HikariDataSource readers;
  private final CommitMark mark;
  private final ReentrantLock writing = new ReentrantLock();
  private final ConcurrentLinkedQueue<Call<?>> waiting = new ConcurrentLinkedQueue<>();
  private @Nullable Connection writer;
  private long commits;
  private boolean closed;

  private SqliteDatabase(SqliteFile file) throws SQLException {
    this.file = file;
    writer = file.source().getConnection();
    commits = SqliteCheck.commits(writer);
    mark = CommitMark.open(file.path());
    mark.write(commits);
    HikariConfig config = new HikariConfig();
    config.setDataSource(file.source());
    config.setConnectionInitSql("PRAGMA query_only = 1");
    config.setMaximumPoolSize(READERS);
    config.setMinimumIdle(1);
    config.setPoolName("halfcell-store");
    readers = new HikariDataSource(config);
  }

  static SqliteDatabase open(Path path) {
    SqliteFile file = new SqliteFile(path);
    SqliteCheck.refuseUnusable(file);
    try {
      try (Connection first = file.source().getConnection()) {
        if (Sql.number(first, "PRAGMA application_id") == 0) {
          SqliteFile.execute(first, "PRAGMA application_id = " + SqliteFile.APPLICATION);
        }
      }
      new Schema(file.source(), path.toString(), "common", "sqlite").migrate();
      return new SqliteDatabase(file);
    } catch (SQLException e) {
      throw file.failure(e);
    }
  }

  @Override
  public <T> T read(Work<T> work) {
    try (Connection connection = readers.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      throw file.failure(e);
    }
  }

  @Override
  public <T> T write(Work<T> work) {
    Call<T> call = new Call<>(work);
    waiting.add(call);
    writing.lock();
    try {
      while (!call.done() && !waiting.isEmpty()) {
        runWaiting();
      }
    } finally {
      writing.unlock();
    }
    return call.result();
  }

  private void runWaiting() {
    List<Call<?>> calls = new ArrayList<>();
    while (calls.size() < TOGETHER && waiting.peek() != null) {
      calls.add(waiting.remove());
    }
    if (calls.size() == 1 || !succeeded(calls)) {
      for (Call<?> call : calls) {
        alone(call);
      }
    }
  }

  /** Whether all was done; where one of them failed, none was. */
  private boolean succeeded(List<Call<?>> calls) {
    try {
      transaction(calls);
      return true;
    } catch (SQLException | RuntimeException _) { // each will meet its own error, alone
      return false;
    }
  }

  private void alone(Call<?> call) {
    try {
      transaction(List.of(call));
    } catch (SQLException e) {
      call.failed(file.failure(e));
    } catch (RuntimeException e) {
      call.failed(e);
    }
  }

  private void transaction(List<Call<?>> calls) throws SQLException {
    Connection connection = writer();
    try {
      SqliteFile.execute(connection, "BEGIN IMMEDIATE");
      long before = Sql.number(connection, "SELECT total_changes()");
      for (Call<?> call : calls) {
        call.run(connection);
      }
      if (Sql.number(connection, "SELECT total_changes()") == before) {
        SqliteFile.execute(connection, "COMMIT");
      } else {
        Sql.update(connection, "UPDATE commit_count SET number = ?", commits + 1);
        SqliteFile.execute(connection, "COMMIT");
        commits++;
        mark.write(commits);
      }
    } catch (SQLException | RuntimeException e) {
      giveUp(connection, e);
      throw e;
    }
    calls.forEach(Call::committed);
  }

  /** What an error left open is closed with its connection; the next call opens another. */
  private void giveUp(Connection connection, Exception error) {
    writer = null;
    try {
      connection.close();
    } catch (SQLException e) {
      error.addSuppressed(e);
    }
  }

  private Connection writer() throws SQLException {
    if (closed) {
      throw new SQLException("the store is closed");
    }
    Connection connection = writer == null ? file.source().getConnection() : writer;
    writer = connection;
    return connection;
  }

  @Override
  public String forUpdate() {
    return "";
  }

  @Override
  public String skipLocked() {
    return "";
  }

  @Override
  public void acceptAlone(Connection connection) {}

  @Override
  public void close() {
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        readers.close();
        mark.close();
        if (writer != null) {
          writer.close();
        }
      }
    } catch (SQLException e) {
      throw file.failure(e);
    } finally {
      writing.unlock();
    }
  }

  /** Work that somebody waits for. Its fields are seen by whoever has the lock. */
  private static final class Call<T> {
    private final Work<T> work;
    private @Nullable T value;
    private @Nullable RuntimeException error;
    private boolean done;

    Call(Work<T> work) {
      this.work = work;
    }

    void run(Connection connection) throws SQLException {
      value = work.on(connection);
    }

    void committed() {
      done = true;
    }

    void failed(RuntimeException why) {
      error = why;
      done = true;
    }

    boolean done() {
      return done;
    }

    T result() {
      if (error != null) {
        throw error;
      }
      if (value == null) {
        throw new IllegalStateException("work that returned nothing");
      }
      return value;
    }
  }
}
