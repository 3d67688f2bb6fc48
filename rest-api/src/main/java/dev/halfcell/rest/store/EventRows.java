package dev.halfcell.rest.store;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes the events of jobs.
 *
 * @param kept how many of a job are kept; older ones are dropped
 */
record EventRows(int kept) {
  /** Numbers events, writes them, and drops what is too old; the row itself is not saved. */
  Appended append(Connection connection, JobRow row, List<Report.Happened> happened)
      throws SQLException {
    JobId job = row.summary().id();
    int attempt = row.summary().attempt();
    List<JobEvent> events = new ArrayList<>();
    List<Object[]> rows = new ArrayList<>();
    long last = row.lastEvent();
    for (Report.Happened one : happened) {
      JobEvent event = new JobEvent(job, ++last, attempt, one.at(), one.kind(), one.data());
      events.add(event);
      rows.add(values(event));
    }
    Sql.each(
        connection,
        "INSERT INTO event (job_id, number, attempt, happened_at, kind, content) VALUES ("
            + Sql.places(6)
            + ")",
        rows);
    long first = Math.max(row.firstEvent(), last - kept + 1);
    if (first > row.firstEvent()) {
      Sql.update(
          connection, "DELETE FROM event WHERE job_id = ? AND number < ?", job.text(), first);
    }
    return new Appended(row.withEvents(first, last), events);
  }

  /**
   * What {@link #append} did.
   *
   * @param row the job's row as it is to be saved
   */
  record Appended(JobRow row, List<JobEvent> events) {}

  static List<JobEvent> behind(Connection connection, JobId job, long after, int limit)
      throws SQLException {
    return Sql.query(
        connection,
        "SELECT number, attempt, happened_at, kind, content FROM event"
            + " WHERE job_id = ? AND number > ? ORDER BY number LIMIT ?",
        row -> event(job, row),
        job.text(),
        after,
        limit);
  }

  private static JobEvent event(JobId job, ResultSet row) throws SQLException {
    long number = row.getLong(1);
    int attempt = row.getInt(2);
    long at = row.getLong(3);
    String kind = row.getString(4);
    String data =
        Seal.open(
            row.getString(5), "event " + number + " of job " + job, job, number, attempt, at, kind);
    return new JobEvent(job, number, attempt, Nanos.instant(at), EventKind.valueOf(kind), data);
  }

  private static Object[] values(JobEvent event) {
    long at = Nanos.of(event.at());
    String kind = event.kind().name();
    String sealed =
        Seal.close(event.data(), event.job(), event.number(), event.attempt(), at, kind);
    return new Object[] {event.job().text(), event.number(), event.attempt(), at, kind, sealed};
  }
}
