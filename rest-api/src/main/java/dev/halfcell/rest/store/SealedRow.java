package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A row of {@code job} as the database has it.
 *
 * @param lease until when it is held, in nanoseconds since 1970
 * @param summary a sealed text
 */
record SealedRow(
    String id, Optional<String> server, Optional<Long> lease, long first, long last, String summary)
    implements Opened.Sealed<JobRow> {
  /** Reads {@link JobRows#COLUMNS}. */
  static SealedRow of(ResultSet rows) throws SQLException {
    String id = rows.getString(1);
    Optional<String> server = Optional.ofNullable(rows.getString(2));
    long lease = rows.getLong(3);
    boolean leased = !rows.wasNull();
    return new SealedRow(
        id,
        server,
        leased ? Optional.of(lease) : Optional.empty(),
        rows.getLong(4),
        rows.getLong(5),
        rows.getString(6));
  }

  @Override
  public int length() {
    return summary.length();
  }

  @Override
  public JobRow open() throws Damage {
    String text = Seal.open(summary, "job " + id, id, server.orElse(""), first, last);
    return new JobRow(
        Json.read(text, JobSummary.class), server, lease.map(Nanos::instant), first, last);
  }
}
