package dev.halfcell.rest.job;

/** What an action does to a job. */
public sealed interface Move {
  /** It goes over to another state. */
  record To(JobState state) implements Move {}

  /** It is where the action leads already, or gets there later. */
  record Stays() implements Move {}

  /** The action makes no sense in its state; nothing changes. */
  record Refused() implements Move {}
}
