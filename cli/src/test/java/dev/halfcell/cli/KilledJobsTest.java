package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.client.Event;
import dev.halfcell.rest.client.Job;
import dev.halfcell.rest.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The checker of histories notices each thing that must not be. */
final class KilledJobsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final KilledJobs jobs = new KilledJobs(20);
  private final List<Event> events = new ArrayList<>();

  private KilledJobsTest happens(int attempt, String kind, Map<String, Object> data) {
    int number = events.size() + 1;
    events.add(new Event("a", number, attempt, START.plusSeconds(number), kind, Map.copyOf(data)));
    return this;
  }

  private KilledJobsTest step(int attempt, int step) {
    return happens(attempt, "step", Map.of("step", step));
  }

  private KilledJobsTest saved(int attempt, int step) {
    return happens(attempt, "checkpoint", Map.of("step", step));
  }

  private KilledJobsTest becomes(int attempt, JobState state) {
    return happens(attempt, "state", Map.of("to", state.name()));
  }

  /** A job of a training that was interrupted once, at step 45. */
  private KilledJobsTest interrupted() {
    return step(1, 10).saved(1, 20).step(1, 33).saved(1, 40).step(1, 45);
  }

  private void check(long... fromSteps) {
    List<Job.Attempt> attempts = new ArrayList<>();
    for (long from : fromSteps) {
      attempts.add(
          new Job.Attempt(
              attempts.size() + 1,
              "server",
              START,
              Optional.of(from).filter(step -> step >= 0),
              Optional.empty(),
              Optional.empty()));
    }
    jobs.check("a", attempts, events);
  }

  private void assertNotices(String... words) {
    assertEquals(words.length, jobs.violations().size(), jobs.violations()::toString);
    for (int i = 0; i < words.length; i++) {
      assertTrue(jobs.violations().get(i).contains(words[i]), jobs.violations()::toString);
    }
  }

  @Test
  void aGoodHistoryHasNothingToNotice() {
    jobs.canGoOn(START);
    jobs.canGoOn(START.plusMillis(4_500));
    jobs.canGoOn(START.plusSeconds(60));
    interrupted().step(2, 50).becomes(2, JobState.SUCCEEDED);
    check(0, 40);
    assertNotices();
    assertEquals(5, jobs.mostRedone());
    assertEquals(List.of(Duration.ofMillis(1_500)), jobs.pauses());
  }

  @Test
  void anAttemptThatDiedBeforeItTrainedIsPassedOver() {
    interrupted().becomes(2, JobState.INTERRUPTED).step(3, 41).becomes(3, JobState.SUCCEEDED);
    check(0, -1, 40);
    assertNotices();
  }

  @Test
  void somethingAfterTheEndIsNoticed() {
    step(1, 10).becomes(1, JobState.SUCCEEDED).becomes(1, JobState.RUNNING);
    check(0);
    assertNotices("went on after its end", "has no end");
  }

  @Test
  void anEarlierAttemptIsNoticed() {
    interrupted().step(2, 50).step(1, 51).becomes(2, JobState.SUCCEEDED);
    check(0, 40);
    assertNotices("went back to an earlier attempt");
  }

  @Test
  void aStepBackInAnAttemptIsNoticed() {
    interrupted().step(1, 44).becomes(1, JobState.SUCCEEDED);
    check(0);
    assertNotices("went from step 45 to 44");
  }

  @Test
  void aLostCheckpointIsNoticed() {
    interrupted().step(2, 45).becomes(2, JobState.SUCCEEDED);
    check(0, 39);
    assertNotices("lost its checkpoint of step 40");
  }

  @Test
  void stepsDoneAgainAreCounted() {
    step(1, 45).step(2, 50).becomes(2, JobState.SUCCEEDED);
    check(0, 20);
    assertNotices("did 25 steps again");
  }

  @Test
  void aJobWithoutAnEndIsNoticed() {
    step(1, 10);
    check(0);
    assertNotices("has no end");
  }
}
