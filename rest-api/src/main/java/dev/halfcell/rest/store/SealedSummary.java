package dev.halfcell.rest.store;

import dev.halfcell.rest.job.JobSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What lists show of a job, as the database has it: a sealed text, and what is sealed with it.
 *
 * @param server who holds the job, or held it last
 * @param firstEvent the number of the oldest event that is kept
 * @param lastEvent the number of the newest
 */
record SealedSummary(
    String id, Optional<String> server, long firstEvent, long lastEvent, String text)
    implements KnownTexts.Sealed<JobSummary> {
  /** Reads them of {@link JobRows#COLUMNS}. */
  static SealedSummary of(ResultSet rows) throws SQLException {
    return new SealedSummary(
        rows.getString(1),
        Optional.ofNullable(rows.getString(2)),
        rows.getLong(4),
        rows.getLong(5),
        rows.getString(6));
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public JobSummary open() throws Damage {
    return Json.read(
        Seal.open(text, "job " + id, id, server.orElse(""), firstEvent, lastEvent),
        JobSummary.class);
  }
}
