package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.store.DescriptionChange;
import dev.halfcell.rest.store.JobPage;
import dev.halfcell.rest.store.JobQuery;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.job.CheckedSpecification;
import dev.halfcell.zoo.job.JobSpecification;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
  private final Submissions submissions;
  private final SecureRandom random = new SecureRandom();

  /** Those of these jobs. */
  public Comparisons(JobStore store, Submissions submissions) {
    this.store = store;
    this.submissions = submissions;
  }

  /**
   * What came of one that was sent.
   *
   * @param replayed whether the same was sent before
   */
  public record Made(String id, boolean replayed) {}

  /** Submits all jobs of a comparison, or none: there is no half of one. */
  public Made submit(
      Caller caller,
      String specification,
      List<String> levels,
      List<Long> seeds,
      Optional<NewJob.Key> key,
      Optional<String> trace) {
    JobSpecification said = submissions.specification(specification, "/specification").said();
    List<JobSpecification> each = pairs(said, levels, seeds);
    String id = known(caller, key).orElseGet(() -> JobId.random(random).text());
    List<Submissions.Planned> planned = new ArrayList<>();
    for (int i = 0; i < each.size(); i++) {
      JobSpecification labelled = each.get(i).with("/labels/" + LABEL, id);
      Submission how = new Submission(caller.owner(), part(key, i), Optional.empty(), trace);
      String text = labelled.json();
      CheckedSpecification checked = submissions.specification(text, "/specification");
      planned.add(new Submissions.Planned(text, checked, how));
    }
    List<Submitted> submitted = submissions.submitAll(planned);
    return new Made(
        label(submitted.getFirst().job()).orElse(id),
        submitted.stream().allMatch(Submitted::replayed));
  }

  private static Optional<NewJob.Key> part(Optional<NewJob.Key> key, int number) {
    return key.map(
        whole -> new NewJob.Key(whole.text() + " comparison " + number, whole.request()));
  }

  /** The one that was made by the same key, of which a job may have been deleted since. */
  private Optional<String> known(Caller caller, Optional<NewJob.Key> key) {
    return part(key, 0)
        .flatMap(first -> store.keyed(caller.owner(), first.text()))
        .flatMap(store::find)
        .flatMap(Comparisons::label);
  }

  /** A change that leaves a job in its comparison, whatever labels are said anew. */
  static DescriptionChange staying(Job job, DescriptionChange change) {
    Optional<Map<String, String>> labels =
        change
            .labels()
            .map(
                said -> {
                  Map<String, String> all = new LinkedHashMap<>(said);
                  label(job).ifPresent(id -> all.put(LABEL, id));
                  return all;
                });
    return new DescriptionChange(
        change.name(), labels, change.notes(), change.priority(), change.pinned());
  }

  private static Optional<String> label(Job job) {
    return Optional.ofNullable(job.summary().description().labels().get(LABEL));
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
