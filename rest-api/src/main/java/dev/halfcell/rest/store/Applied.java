package dev.halfcell.rest.store;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;

/** What came of a {@link Transition}. */
public sealed interface Applied {
  /** The job moved. */
  record Moved(Job job, JobEvent event) implements Applied {}

  /** It was there already, or is on its way. */
  record Stayed(Job job) implements Applied {}

  /** That makes no sense in its state, which did not change. */
  record Refused(Job job) implements Applied {}

  /** The attempt is an old one, or its job waits again or is paused. */
  record Fenced(Job job) implements Applied {}

  /** There is no such job. */
  record Missing() implements Applied {}
}
