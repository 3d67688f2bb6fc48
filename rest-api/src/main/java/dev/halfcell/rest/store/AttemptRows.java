package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.StatusReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads and writes the attempts of jobs. */
final class AttemptRows {
  private AttemptRows() {}

  /** What a sealed one says. */
  static Attempt read(JobId job, int number, String sealed) throws SQLException {
    return Json.read(
        Seal.open(sealed, "attempt " + number + " of job " + job, job, number), Attempt.class);
  }

  static void insert(Connection connection, JobId job, Attempt attempt) throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO attempt (job_id, number, content) VALUES (?, ?, ?)",
        job.text(),
        attempt.number(),
        sealed(job, attempt));
  }

  /** Writes what a worker says of itself, where it does. */
  static void describe(Connection connection, Fence fence, Report report) throws SQLException {
    if (report.pid().isPresent() || report.fromStep().isPresent()) {
      change(
          connection,
          fence.job(),
          fence.attempt(),
          old ->
              new Attempt(
                  old.number(),
                  old.server(),
                  report.pid().or(old::pid),
                  old.startedAt(),
                  report.fromStep().or(old::fromStep),
                  old.endedAt(),
                  old.reason(),
                  old.exit()));
    }
  }

  static void end(
      Connection connection,
      JobId job,
      int number,
      Instant at,
      StatusReason.Code reason,
      Optional<Exit> exit)
      throws SQLException {
    change(
        connection,
        job,
        number,
        old ->
            new Attempt(
                old.number(),
                old.server(),
                old.pid(),
                old.startedAt(),
                old.fromStep(),
                Optional.of(at),
                Optional.of(reason),
                exit));
  }

  private static void change(
      Connection connection, JobId job, int number, UnaryOperator<Attempt> edit)
      throws SQLException {
    Attempt old =
        Sql.first(
                connection,
                "SELECT content FROM attempt WHERE job_id = ? AND number = ?",
                row -> read(job, number, row.getString(1)),
                job.text(),
                number)
            .orElseThrow(() -> new Damage("attempt " + number + " of job " + job + " is missing"));
    Sql.update(
        connection,
        "UPDATE attempt SET content = ? WHERE job_id = ? AND number = ?",
        sealed(job, edit.apply(old)),
        job.text(),
        number);
  }

  private static String sealed(JobId job, Attempt attempt) {
    return Seal.close(Json.write(attempt), job, attempt.number());
  }
}
