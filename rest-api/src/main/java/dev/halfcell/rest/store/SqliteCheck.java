package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks at a database before it is used, and writes nothing of its own: a damaged one is left as it
 * is.
 */
final class SqliteCheck {
  private static final byte[] HEAD = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  /** Above this only tables without events are read through: a start has to be quick. */
  private static final long WHOLE_BYTES = 256L << 20;

  private final SqliteFile file;
  private final OptionalLong mark;

  private SqliteCheck(SqliteFile file, OptionalLong mark) {
    this.file = file;
    this.mark = mark;
  }

  /** Throws where there is a file that is damaged, none of ours, or of a newer version. */
  static void refuseUnusable(SqliteFile file) {
    new SqliteCheck(file, CommitMark.read(file.path())).run();
  }

  private void run() {
    long bytes = bytes();
    if (bytes == 0) {
      refuseLost(0);
      return;
    }
    takeBackUnfinished();
    try (Connection connection = file.readOnlySource().getConnection()) {
      if (refuseForeign(connection)) {
        refuseBroken(connection, bytes);
        refuseLost(commits(connection));
        new Schema(file.readOnlySource(), file.path().toString(), "common", "sqlite").refuseNewer();
        readThrough(connection);
      }
    } catch (SQLException e) {
      throw file.failure(e);
    }
  }

  /**
   * Who is killed while he makes a database, before it has a log, leaves a journal of what he had
   * begun. SQLite takes that back, but only where it may write.
   */
  private void takeBackUnfinished() {
    if (!Files.exists(file.path().resolveSibling(file.path().getFileName() + "-journal"))) {
      return;
    }
    try (Connection connection = file.plainSource().getConnection()) {
      var _ = Sql.number(connection, "SELECT COUNT(*) FROM sqlite_master");
    } catch (SQLException e) {
      throw file.failure(e);
    }
  }

  /** The length of the file, 0 where there is none; its head must be that of SQLite. */
  private long bytes() {
    Path path = file.path();
    if (!Files.exists(path)) {
      return 0;
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] head = in.readNBytes(HEAD.length);
      if (head.length > 0 && !Arrays.equals(head, HEAD)) {
        throw file.damaged("a file that is no SQLite database");
      }
      return Files.size(path);
    } catch (IOException e) {
      throw file.failure(new SQLException(String.valueOf(e.getMessage()), e));
    }
  }

  /** Whether anything is in it; throws where that is not ours. */
  private boolean refuseForeign(Connection connection) throws SQLException {
    long application = Sql.number(connection, "PRAGMA application_id");
    long tables = Sql.number(connection, "SELECT COUNT(*) FROM sqlite_master");
    if (application != SqliteFile.APPLICATION && (application != 0 || tables > 0)) {
      throw file.damaged("the database of another program");
    }
    if (tables == 0) {
      refuseLost(0);
    }
    return tables > 0;
  }

  private void refuseBroken(Connection connection, long bytes) throws SQLException {
    List<String> checks =
        bytes <= WHOLE_BYTES
            ? List.of("PRAGMA integrity_check(1)")
            : List.of(
                "PRAGMA integrity_check('job')",
                "PRAGMA integrity_check('specification')",
                "PRAGMA integrity_check('attempt')",
                "PRAGMA integrity_check('label')",
                "PRAGMA integrity_check('idempotency_key')");
    for (String check : checks) {
      String said = Sql.first(connection, check, row -> row.getString(1)).orElse("nothing");
      if (!said.equals("ok")) {
        throw file.damaged("one where " + said.replaceAll("\\s+", " "));
      }
    }
  }

  /** Throws where the file beside the database knows of more commits than the database. */
  private void refuseLost(long commits) {
    if (mark.isPresent() && mark.getAsLong() > commits) {
      throw file.damaged(
          "one that lost "
              + (mark.getAsLong() - commits)
              + " of "
              + mark.getAsLong()
              + " commits, as it does where the file ending in -wal is missing or cut (to go on"
              + " with what is left, delete the file ending in -commits)");
    }
  }

  static long commits(Connection connection) throws SQLException {
    boolean counted =
        Sql.number(connection, "SELECT COUNT(*) FROM sqlite_master WHERE name = 'commit_count'")
            > 0;
    return counted ? Sql.number(connection, "SELECT number FROM commit_count") : 0;
  }

  /** Reads the texts of all jobs, whose checksums notice what SQLite does not. */
  private static void readThrough(Connection connection) throws SQLException {
    if (Sql.number(connection, "SELECT COUNT(*) FROM sqlite_master WHERE name = 'job'") == 0) {
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT " + JobRows.COLUMNS + ", j.outcome FROM job j")) {
      while (rows.next()) {
        JobRow row = JobRows.row(rows);
        JobRows.outcome(row.summary().id(), Optional.ofNullable(rows.getString(7)));
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT job_id, sent, resolved FROM specification")) {
      while (rows.next()) {
        String id = rows.getString(1);
        Seal.open(rows.getString(2), "the specification of job " + id, id);
        Seal.open(rows.getString(3), "the resolved specification of job " + id, id);
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT job_id, number, content FROM attempt")) {
      while (rows.next()) {
        AttemptRows.read(new JobId(rows.getString(1)), rows.getInt(2), rows.getString(3));
      }
    }
  }
}
