package dev.halfcell.rest.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.service.Retention;
import java.util.OptionalInt;
import java.util.function.Function;

/** Whole jobs as answers. As many as there is room for are kept: most find a job unchanged. */
final class JobAnswers {
  /** Of answers, and of the jobs that they are of, which are as long again. */
  private static final long MOST_BYTES = 16 << 20;

  private final Retention retention;
  private final Function<JobSummary, OptionalInt> places;
  private final Cache<JobId, Told> told =
      Caffeine.newBuilder()
          .maximumWeight(MOST_BYTES)
          .weigher((JobId _, Told one) -> 2 * one.json().length)
          .executor(Runnable::run)
          .build();

  private record Told(Job job, OptionalInt place, byte[] json) {}

  /**
   * Of jobs that are kept so long.
   *
   * @param retention by which an answer says when its job expires
   * @param places by which it says where its job stands in the queue
   */
  JobAnswers(Retention retention, Function<JobSummary, OptionalInt> places) {
    this.retention = retention;
    this.places = places;
  }

  /** A job with its tag, as something was done to it. */
  Answer of(int status, Job job) {
    return whole(status, job, OptionalInt.empty());
  }

  /** A job as it is, with its place in the queue; or that the client has it so already. */
  Answer unlessKnown(Request request, Job job) {
    OptionalInt place = places.apply(job.summary());
    String tag = tag(job, place);
    return Conditions.unchanged(request, tag)
        ? Answer.empty(304).with("ETag", tag)
        : whole(200, job, place);
  }

  /** Whether the answer for a job is at hand: it was made before, and has no place in a queue. */
  boolean told(Job job) {
    Told before = told.getIfPresent(job.id());
    return job.state() != JobState.QUEUED && before != null && before.job().equals(job);
  }

  private Answer whole(int status, Job job, OptionalInt place) {
    return Answer.of(status, Json.MEDIA_TYPE, json(job, place)).with("ETag", tag(job, place));
  }

  /** By which a client tells whether the job, and its place, is still as it was told. */
  private static String tag(Job job, OptionalInt place) {
    String where = place.isPresent() ? "." + place.getAsInt() : "";
    return "\"" + job.summary().revision() + where + "\"";
  }

  byte[] json(Job job, OptionalInt place) {
    Told before = told.getIfPresent(job.id());
    if (before != null && before.job().equals(job) && before.place().equals(place)) {
      return before.json();
    }
    byte[] json = Json.bytes(JobJson.of(job, retention, place));
    told.put(job.id(), new Told(job, place, json));
    return json;
  }
}
