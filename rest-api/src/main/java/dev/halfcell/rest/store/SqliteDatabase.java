package dev.halfcell.rest.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A file of SQLite: one connection writes, for all who wait together, and a few read. */
final class SqliteDatabase implements Database {
  private static final int READERS = 4;

  private final SqliteFile file;
  private final Optional<Object> identity;
  private final Pool readers;
  private final CommitMark mark;
  private final Together<Connection> writes;

  /** How often a transaction has begun or ended: odd during one. */
  private final AtomicLong turns = new AtomicLong();

  private @Nullable Connection writer;
  private long commits;
  private boolean closed;

  private SqliteDatabase(SqliteFile file) throws SQLException {
    this.file = file;
    this.identity = file.identity();
    this.writes = new Together<>(this::transaction, file::failure, SqliteFile::away);
    writer = openWriter();
    commits = SqliteCheck.commits(writer);
    mark = CommitMark.open(file.path());
    mark.write(commits);
    readers = new Pool(this::openReader, READERS);
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
    try {
      return readers.use(work);
    } catch (SQLException e) {
      throw file.failure(e);
    }
  }

  @Override
  public <T> T write(Work<T> work) {
    return writes.run(work::on);
  }

  @Override
  public <T> T accept(Together.Part<Accepting, T> part) {
    return writes.run(connection -> part.in(new Accepting(connection, JobCounts.KEPT)));
  }

  private void requireSameFile() {
    if (!file.identity().equals(identity)) {
      throw file.replaced();
    }
  }

  private Connection openReader() throws SQLException {
    requireSameFile();
    return file.openReader();
  }

  private void transaction(List<Together.Call<Connection, ?>> calls) throws SQLException {
    requireSameFile();
    Connection connection = writer();
    turns.incrementAndGet();
    try {
      SqliteFile.execute(connection, "BEGIN IMMEDIATE");
      long before = Sql.number(connection, "SELECT total_changes()");
      for (Together.Call<Connection, ?> call : calls) {
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
    } finally {
      turns.incrementAndGet();
    }
  }

  @Override
  public long moment() {
    long turn = turns.get();
    return turn % 2 == 0 ? turn : KnownTexts.NEVER;
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
    Connection connection = writer == null ? openWriter() : writer;
    writer = connection;
    return connection;
  }

  private Connection openWriter() throws SQLException {
    Connection connection = file.existing().getConnection();
    try {
      JobCounts.keep(connection);
      return connection;
    } catch (SQLException e) {
      try (connection) {
        throw e;
      }
    }
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
  public void close() {
    writes.end(
        () -> {
          try {
            closed = true;
            readers.close();
            mark.close();
            if (writer != null) {
              writer.close();
            }
          } catch (SQLException e) {
            throw file.failure(e);
          }
        });
  }
}
