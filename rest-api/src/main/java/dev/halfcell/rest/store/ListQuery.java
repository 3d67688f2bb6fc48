package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.tensor.ArgumentException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads pages of jobs. */
final class ListQuery {
  private ListQuery() {}

  static JobPage page(
      Connection connection, JobQuery query, KnownTexts<SealedSummary, JobSummary> known)
      throws SQLException {
    ArgumentException.require(query.limit() > 0, "limit", "at least 1", query.limit());
    List<Object> values = new ArrayList<>();
    List<String> conditions = conditions(query, values);
    query
        .after()
        .ifPresent(after -> behind(PageCursor.parse(after, query), query, conditions, values));
    String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    values.add(query.limit() + 1L);
    List<JobSummary> found =
        Sql.query(
            connection,
            "SELECT "
                + JobRows.COLUMNS
                + " FROM job j"
                + where
                + " ORDER BY "
                + order(query)
                + " LIMIT ?",
            row -> known.open(SealedSummary.of(row)),
            values.toArray());
    if (found.size() <= query.limit()) {
      return new JobPage(found, Optional.empty());
    }
    List<JobSummary> page = found.subList(0, query.limit());
    return new JobPage(page, Optional.of(PageCursor.of(page.getLast()).text(query)));
  }

  private static List<String> conditions(JobQuery query, List<Object> values) {
    List<String> conditions = new ArrayList<>();
    query.owner().ifPresent(owner -> equal("j.owner", owner, conditions, values));
    query.network().ifPresent(network -> equal("j.network", network, conditions, values));
    query.level().ifPresent(level -> equal("j.level", level, conditions, values));
    if (!query.states().isEmpty()) {
      conditions.add("j.state IN (" + Sql.places(query.states().size()) + ")");
      query.states().forEach(state -> values.add(state.name()));
    }
    query
        .labels()
        .forEach(
            (name, content) -> {
              conditions.add(
                  "EXISTS (SELECT 1 FROM label l WHERE l.job_id = j.id AND l.name = ? AND l.content = ?)");
              values.add(name);
              values.add(content);
            });
    return conditions;
  }

  private static void equal(
      String column, String wanted, List<String> conditions, List<Object> values) {
    conditions.add(column + " = ?");
    values.add(wanted);
  }

  private static void behind(
      PageCursor cursor, JobQuery query, List<String> conditions, List<Object> values) {
    switch (query.order()) {
      case NEWEST -> conditions.add("(j.created_at, j.id) < (?, ?)");
      case OLDEST -> conditions.add("(j.created_at, j.id) > (?, ?)");
      case PRIORITY -> {
        conditions.add("(j.queue_rank, j.created_at, j.id) > (?, ?, ?)");
        values.add(cursor.rank());
      }
    }
    values.add(cursor.createdAt());
    values.add(cursor.id());
  }

  private static String order(JobQuery query) {
    return switch (query.order()) {
      case NEWEST -> "j.created_at DESC, j.id DESC";
      case OLDEST -> "j.created_at, j.id";
      case PRIORITY -> "j.queue_rank, j.created_at, j.id";
    };
  }
}
