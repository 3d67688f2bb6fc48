package dev.halfcell.cli;

import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What must be so in the histories of jobs whose servers and workers were killed: an end is the
 * end, steps go back only with another attempt, none of them behind what was saved and none farther
 * than a checkpoint's distance (I4, I5 and I7 of the project's design). It also tells how soon they
 * trained again. For servers that train one job at a time.
 */
final class KilledJobs {
  private final long every;
  private final List<Instant> beginnings = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private long mostRedone;

  /**
   * One that has seen none.
   *
   * @param every the steps from a checkpoint to the next
   */
  KilledJobs(long every) {
    this.every = every;
  }

  /** From now on what was interrupted can go on: a server is ready, or has lost but a worker. */
  void canGoOn(Instant since) {
    beginnings.add(since);
  }

  /** How far a job was. */
  private static final class Reached {
    private int attempt;
    private long step;
    private long saved;
    private boolean stepped;
    private boolean ended;
  }

  /** Takes the history of a job that is over, whole and in order. */
  void check(String job, List<Job.Attempt> attempts, List<Event> events) {
    Reached reached = new Reached();
    for (Event event : events) {
      if (reached.ended) {
        violations.add(job + " went on after its end: " + event);
      }
      if (event.attempt() < reached.attempt) {
        violations.add(job + " went back to an earlier attempt: " + event);
      }
      if (event.attempt() > reached.attempt) {
        begins(job, event.attempt(), from(attempts, event.attempt()), reached);
      }
      take(job, event, reached);
    }
    if (!reached.ended) {
      violations.add(job + " has no end");
    }
  }

  /** None where it died before it trained. */
  private static Optional<Long> from(List<Job.Attempt> attempts, int number) {
    return attempts.stream()
        .filter(attempt -> attempt.number() == number)
        .findFirst()
        .flatMap(Job.Attempt::fromStep);
  }

  private void begins(String job, int number, Optional<Long> from, Reached reached) {
    reached.attempt = number;
    reached.stepped = false;
    if (from.isEmpty()) {
      return;
    }
    long redone = reached.step - from.get();
    if (redone > every + 1) {
      violations.add(job + " did " + redone + " steps again, in attempt " + number);
    }
    if (from.get() < reached.saved) {
      violations.add(
          job + " lost its checkpoint of step " + reached.saved + ", it began at " + from);
    }
    mostRedone = Math.max(mostRedone, redone);
    reached.step = from.get();
  }

  private void take(String job, Event event, Reached reached) {
    switch (event.kind()) {
      case "step" -> stepped(job, event, reached);
      case "checkpoint" -> reached.saved = step(event);
      case "state" ->
          reached.ended = event.text("to").map(JobState::valueOf).orElseThrow().terminal();
      default -> {}
    }
  }

  private void stepped(String job, Event event, Reached reached) {
    long step = step(event);
    if (step <= reached.step) {
      violations.add(job + " went from step " + reached.step + " to " + step + " in one attempt");
    }
    if (!reached.stepped && reached.attempt > 1) {
      beginnings.stream()
          .filter(since -> !since.isAfter(event.at()))
          .max(Instant::compareTo)
          .ifPresent(since -> pauses.add(Duration.between(since, event.at())));
    }
    reached.stepped = true;
    reached.step = step;
  }

  private static long step(Event event) {
    return event.number("step").orElseThrow().longValue();
  }

  /** What was not so. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  /** From where they could go on to the first step of each attempt that took one up. */
  List<Duration> pauses() {
    return List.copyOf(pauses);
  }

  /** The most steps that an attempt did again, as far as they had been told of. */
  long mostRedone() {
    return mostRedone;
  }
}
