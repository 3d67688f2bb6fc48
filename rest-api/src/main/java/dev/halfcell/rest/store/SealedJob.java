package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A whole job as the database has it. Two of the same texts are the same job.
 *
 * @param outcome a sealed text, where there is one
 * @param sent a sealed text
 * @param resolved a sealed text
 * @param attempts the oldest first
 */
record SealedJob(
    SealedSummary summary,
    Optional<String> outcome,
    String sent,
    String resolved,
    List<SealedAttempt> attempts)
    implements KnownTexts.Sealed<Job> {
  /** What {@link #all} reads behind {@link JobRows#COLUMNS}. */
  static final String MORE_COLUMNS = "j.outcome, s.sent, s.resolved, a.number, a.content";

  /** One of its attempts; its content is a sealed text. */
  record SealedAttempt(int number, String content) {}

  /** Those of rows which are in the order of jobs and their attempts. */
  static List<SealedJob> all(ResultSet rows) throws SQLException {
    List<SealedJob> jobs = new ArrayList<>();
    boolean more = rows.next();
    while (more) {
      SealedSummary summary = SealedSummary.of(rows);
      Optional<String> outcome = Optional.ofNullable(rows.getString(7));
      String sent = rows.getString(8);
      String resolved = rows.getString(9);
      List<SealedAttempt> attempts = new ArrayList<>();
      while (more && rows.getString(1).equals(summary.id())) {
        String content = rows.getString(11);
        if (content != null) { // an outer join found one
          attempts.add(new SealedAttempt(rows.getInt(10), content));
        }
        more = rows.next();
      }
      jobs.add(new SealedJob(summary, outcome, sent, resolved, List.copyOf(attempts)));
    }
    return jobs;
  }

  @Override
  public String id() {
    return summary.id();
  }

  @Override
  public Job open() throws SQLException {
    JobSummary opened = summary.open();
    JobId id = opened.id();
    JobRows.Outcome ended = JobRows.outcome(id, outcome);
    List<Attempt> all = new ArrayList<>();
    for (SealedAttempt attempt : attempts) {
      all.add(AttemptRows.read(id, attempt.number(), attempt.content()));
    }
    return new Job(
        opened,
        Seal.open(sent, "the specification of job " + id, id),
        Seal.open(resolved, "the resolved specification of job " + id, id),
        all,
        ended.exit(),
        ended.failure());
  }

  @Override
  public int length() {
    return summary.length()
        + outcome.map(String::length).orElse(0)
        + sent.length()
        + resolved.length()
        + attempts.stream().mapToInt(attempt -> attempt.content().length()).sum();
  }
}
