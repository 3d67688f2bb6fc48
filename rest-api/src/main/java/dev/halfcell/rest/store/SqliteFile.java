package dev.halfcell.rest.store;

import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/** How the file of a SQLite database is opened, and what its errors mean. */
record SqliteFile(Path path) {
  /** In the head of each of our files: "HfCl". */
  static final int APPLICATION = 0x4866436c;

  private static final int BUSY_MILLIS = 5_000;
  private static final int LOG_BYTES = 64 << 20;

  /** Connections that write. */
  SQLiteDataSource source() {
    return source(usual());
  }

  /** The same that make no file where there is none any more. */
  SQLiteDataSource existing() {
    SQLiteConfig config = usual();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    return source(config);
  }

  private static SQLiteConfig usual() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS);
    config.enforceForeignKeys(true);
    config.setJournalSizeLimit(LOG_BYTES);
    return config;
  }

  /** A connection that reads while another writes. */
  Connection openReader() throws SQLException {
    Connection connection = existing().getConnection();
    execute(connection, "PRAGMA query_only = 1");
    return connection;
  }

  /** Connections that change nothing by being made, but take back what was left unfinished. */
  SQLiteDataSource plainSource() {
    SQLiteConfig config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setBusyTimeout(BUSY_MILLIS);
    return source(config);
  }

  /** Connections that leave the file as it is, and what lies beside it too. */
  SQLiteDataSource readOnlySource() {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return source(config);
  }

  private SQLiteDataSource source(SQLiteConfig config) {
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + path.toAbsolutePath());
    return source;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Another process keeps it locked, or its disk fails: whoever asks next would wait as long. */
  static boolean away(SQLException e) {
    int code = code(e);
    return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_IOERR.code;
  }

  private static int code(SQLException e) {
    return e instanceof SQLiteException sqlite ? sqlite.getResultCode().code & 0xff : 0;
  }

  /** What a user can do about an error. */
  StoreException failure(SQLException e) {
    if (e instanceof Damage) {
      return damaged(String.valueOf(e.getMessage()), e);
    }
    int code = code(e);
    if (code == SQLiteErrorCode.SQLITE_FULL.code) {
      return problem("room for it on the disk", "none", "Free some; nothing needs a restart.", e);
    }
    if (code == SQLiteErrorCode.SQLITE_READONLY.code
        || code == SQLiteErrorCode.SQLITE_CANTOPEN.code
        || code == SQLiteErrorCode.SQLITE_PERM.code) {
      return problem(
          "a file and folder that can be written",
          said(e),
          "Check the owner and permissions of both, and how the disk is mounted.",
          e);
    }
    if (code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code) {
      return problem(
          "a database that no other process writes for longer than 5 s",
          "a locked one",
          "End the other process.",
          e);
    }
    if (code == SQLiteErrorCode.SQLITE_CORRUPT.code || code == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return damaged(said(e), e);
    }
    return problem("that it can be read and written", said(e), "Check its disk.", e);
  }

  /** What tells the file from another of the same name; nothing where there is none. */
  Optional<Object> identity() {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What is written now would be lost: it lies in a file that no name leads to any more. */
  StoreException replaced() {
    return new StoreException(
        new Problem(
            "job store",
            path.toString(),
            "the file that this server opened",
            "another one, or none",
            "Put that one back, or end this server and start it on the other one."));
  }

  /** It does not hold what was written into it. */
  StoreException damaged(String got, SQLException e) {
    return new StoreException(damage(got), e);
  }

  /** It does not hold what was written into it. */
  StoreException damaged(String got) {
    return new StoreException(damage(got));
  }

  private Problem damage(String got) {
    return new Problem(
        "job store",
        path.toString(),
        "a whole database of HalfCell",
        got,
        "Restore it from a backup, or move it away to start with an empty one; it was left as it"
            + " is.");
  }

  private StoreException problem(String expected, String got, String fix, SQLException e) {
    return new StoreException(new Problem("job store", path.toString(), expected, got, fix), e);
  }

  private static String said(SQLException e) {
    return String.valueOf(e.getMessage());
  }
}
