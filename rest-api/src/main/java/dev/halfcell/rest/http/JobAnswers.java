package dev.halfcell.rest.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.service.Retention;

/** Whole jobs as answers. As many as there is room for are kept: most find a job unchanged. */
final class JobAnswers {
  /** Of answers, and of the jobs that they are of, which are as long again. */
  private static final long MOST_BYTES = 16 << 20;

  private final Retention retention;
  private final Cache<JobId, Told> told =
      Caffeine.newBuilder()
          .maximumWeight(MOST_BYTES)
          .weigher((JobId _, Told one) -> 2 * one.json().length)
          .executor(Runnable::run)
          .build();

  private record Told(Job job, byte[] json) {}

  /**
   * Of jobs that are kept so long.
   *
   * @param retention by which an answer says when its job expires
   */
  JobAnswers(Retention retention) {
    this.retention = retention;
  }

  /** A job with its tag. */
  Answer of(int status, Job job) {
    return Answer.of(status, Json.MEDIA_TYPE, json(job)).with("ETag", tag(job));
  }

  /** By which a client tells whether the job is still as it was told. */
  static String tag(Job job) {
    return "\"" + job.summary().revision() + "\"";
  }

  byte[] json(Job job) {
    Told before = told.getIfPresent(job.id());
    if (before != null && before.job().equals(job)) {
      return before.json();
    }
    byte[] json = Json.bytes(JobJson.of(job, retention));
    told.put(job.id(), new Told(job, json));
    return json;
  }
}
