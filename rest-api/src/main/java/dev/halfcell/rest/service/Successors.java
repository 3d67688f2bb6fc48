package dev.halfcell.rest.service;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Origin;
import dev.halfcell.rest.store.NewJob;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes jobs out of jobs: those that go on, and those that are like another. Threads may share. */
public final class Successors {
  private static final Pattern CHECKPOINT = Pattern.compile("step-(\\d{12})\\.safetensors");

  private final JobService jobs;
  private final Submissions submissions;
  private final JobFolders folders;

  /** Those of these jobs. */
  public Successors(JobService jobs, Submissions submissions, JobFolders folders) {
    this.jobs = jobs;
    this.submissions = submissions;
    this.folders = folders;
  }

  /**
   * Goes on with a job: a paused one is queued again; of one that failed or was cancelled a new job
   * is made. Asked again, it is the same new job, whatever key the request had, until that one has
   * failed or was cancelled itself.
   *
   * @param checkpoint the one to go on from; the newest where empty
   */
  public Submitted resume(Caller caller, String id, Optional<String> checkpoint, Submission how) {
    Job job = jobs.find(caller, id);
    return switch (job.state()) {
      case PAUSED, QUEUED -> queued(job, checkpoint);
      case INTERRUPTED -> new Submitted(job, false);
      case FAILED, CANCELLED -> goOn(job, checkpoint, how);
      case SUCCEEDED ->
          throw RefusedException.conflict("The job has succeeded; clone it to train it anew.");
      case STARTING, RUNNING, CANCELLING ->
          throw RefusedException.conflict("The job is " + job.state() + "; it runs already.");
    };
  }

  private Submitted queued(Job job, Optional<String> checkpoint) {
    if (checkpoint.isPresent()) {
      throw RefusedException.conflict(
          "The job is not over; it goes on from its newest checkpoint.");
    }
    return new Submitted(job.state() == JobState.QUEUED ? job : jobs.queue(job), false);
  }

  private Submitted goOn(Job job, Optional<String> named, Submission how) {
    Origin from = origin(job, named);
    Optional<Job> there = jobs.successor(from); // its key may be forgotten by now
    if (there.isPresent()) {
      return new Submitted(there.get(), true);
    }
    String key = "resume " + job.id() + " " + from.checkpoint();
    Submitted made = goOn(job, from, key, how);
    while (made.replayed() && failed(made.job())) {
      made = goOn(job, from, key + " after " + made.job().id(), how);
    }
    return made;
  }

  private static boolean failed(Job job) {
    return job.state() == JobState.FAILED || job.state() == JobState.CANCELLED;
  }

  private Submitted goOn(Job job, Origin from, String key, Submission how) {
    NewJob.Key once = new NewJob.Key(key, "resume of " + job.id());
    return submissions.submit(
        job.specification(),
        new Submission(job.summary().owner(), Optional.of(once), how.externalId(), how.trace()),
        Optional.of(from));
  }

  private Origin origin(Job job, Optional<String> named) {
    List<String> there = checkpoints(job);
    String chosen =
        named.isEmpty()
            ? there.stream()
                .findFirst()
                .orElseThrow(
                    () ->
                        RefusedException.conflict(
                            "The job has no checkpoint; clone it to train it from its start."))
            : there.stream()
                .filter(named.get()::equals)
                .findFirst()
                .orElseThrow(
                    () ->
                        RefusedException.conflict(
                            "The job has no such checkpoint, but " + String.join(", ", there)));
    return new Origin(job.id(), chosen, step(chosen));
  }

  private static long step(String checkpoint) {
    Matcher matcher = CHECKPOINT.matcher(checkpoint);
    if (!matcher.matches()) {
      throw new IllegalStateException("a checkpoint that was listed is none");
    }
    return Long.parseLong(matcher.group(1));
  }

  /** The names of a job's checkpoints, the newest first. */
  private List<String> checkpoints(Job job) {
    Path folder = folders.run(job.id()).resolve("checkpoints");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> CHECKPOINT.matcher(name).matches())
          .sorted(Comparator.reverseOrder())
          .toList();
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Submits a job again, with other values at some keys.
   *
   * @param changes new values by JSON pointer
   */
  public Submitted cloned(Caller caller, String id, Map<String, Object> changes, Submission how) {
    Job job = jobs.find(caller, id);
    JobSpecification specification = JobSpecification.ofJson(job.specification());
    List<FieldError> wrong = new ArrayList<>();
    for (Map.Entry<String, Object> change : changes.entrySet()) {
      try {
        specification = specification.with(change.getKey(), change.getValue());
      } catch (HalfCellException refusal) {
        wrong.add(FieldError.of("/changes", refusal.problem().message()));
      }
    }
    if (!wrong.isEmpty()) {
      throw RefusedException.invalid(wrong);
    }
    String text = specification.json();
    return changes.isEmpty()
        ? submissions.submit(job.specification(), how, Optional.empty())
        : submissions.submit(text, how, Optional.empty());
  }
}
