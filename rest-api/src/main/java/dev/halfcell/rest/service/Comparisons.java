package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.job.JobSpecification;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One specification at several levels and with several seeds. Threads may share it. */
public final class Comparisons {
  /** The label that the jobs of a comparison share. */
  public static final String LABEL = "comparison";

  private static final int PAGE = 200;

  private final JobStore store;
  private final JobService jobs;
  private final Submissions submissions;
  private final SecureRandom random = new SecureRandom();

  /** Those of these jobs. */
  public Comparisons(JobStore store, JobService jobs, Submissions submissions) {
    this.store = store;
    this.jobs = jobs;
    this.submissions = submissions;
  }

  /**
   * What came of one that was sent.
   *
   * @param replayed whether the same was sent before
   */
  public record Made(String id, boolean replayed) {}

  /**
   * Submits all jobs of a comparison. Where the queue fills up meanwhile, what was accepted is
   * cancelled; with a key it stays, and the same request sent again goes on.
   */
  public Made submit(
      Caller caller,
      String specification,
      List<String> levels,
      List<Long> seeds,
      Optional<NewJob.Key> key) {
    List<JobSpecification> each =
        pairs(Submissions.specification(specification, "/specification"), levels, seeds);
    requireRoom(each.size());
    each.forEach(submissions::admit);
    String id = JobId.random(random).text();
    boolean replayed = true;
    List<Job> made = new ArrayList<>();
    for (int i = 0; i < each.size(); i++) {
      String own = "comparison " + i;
      Optional<NewJob.Key> part =
          key.map(whole -> new NewJob.Key(whole.text() + " " + own, whole.request()));
      Submission how = new Submission(caller.owner(), part, Optional.empty());
      try {
        JobSpecification labelled = each.get(i).with("/labels/" + LABEL, id);
        Submitted submitted = submissions.submit(labelled.json(), labelled, how, Optional.empty());
        made.add(submitted.job());
        replayed &= submitted.replayed();
        id = submitted.job().summary().description().labels().getOrDefault(LABEL, id);
      } catch (RefusedException refusal) {
        if (key.isEmpty()) {
          made.forEach(job -> jobs.cancel(caller, job.id().text()));
        }
        throw refusal;
      }
    }
    return new Made(id, replayed);
  }

  private void requireRoom(int more) {
    long waiting = store.counts().getOrDefault("QUEUED", 0L);
    long most = submissions.limits().queued();
    if (waiting + more > most) {
      throw RefusedException.tooMuch(
          waiting + " jobs wait, and with " + more + " more it would be more than " + most + ".");
    }
  }

  private static List<JobSpecification> pairs(
      JobSpecification base, List<String> levels, List<Long> seeds) {
    try {
      List<JobSpecification> pairs = new ArrayList<>();
      for (String level : levels) {
        JobSpecification at = base.with("/precision/level", level);
        if (seeds.isEmpty()) {
          pairs.add(at);
        }
        for (long seed : seeds) {
          pairs.add(at.with("/training/seed", seed));
        }
      }
      return pairs;
    } catch (HalfCellException refusal) {
      throw RefusedException.invalid(refusal);
    }
  }

  /** The jobs of one, in the order in which they were made. */
  public List<JobSummary> of(Caller caller, String id) {
    if (JobId.parse(id).isEmpty()) {
      throw RefusedException.missing("comparison");
    }
    List<JobSummary> all = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      JobPage page =
          store.list(
              new JobQuery(
                  caller.onlyOwner(),
                  Set.of(),
                  Map.of(LABEL, id),
                  Optional.empty(),
                  Optional.empty(),
                  JobQuery.Order.OLDEST,
                  next,
                  PAGE));
      all.addAll(page.jobs());
      next = page.next();
    } while (next.isPresent());
    if (all.isEmpty()) {
      throw RefusedException.missing("comparison");
    }
    all.sort(Comparator.comparing(JobSummary::createdAt).thenComparing(job -> job.id().text()));
    return all;
  }
}
