package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.service.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class JobAnswersTest {
  private static final Instant AT = Instant.parse("2026-11-23T10:00:00Z");

  private static final OptionalInt NOWHERE = OptionalInt.empty();

  private final JobAnswers answers = new JobAnswers(Retention.forEver(), _ -> NOWHERE);

  private static Job job(String id, JobState state, List<Attempt> attempts, Optional<Exit> exit) {
    JobSummary summary =
        new JobSummary(
            new JobId(id),
            "local",
            Optional.empty(),
            new Description(Optional.empty(), Map.of(), Optional.empty(), 0, false),
            "lenet5",
            "O2",
            state,
            new StatusReason(StatusReason.Code.TRAINING, "It trains.", AT),
            Optional.empty(),
            Map.of(),
            attempts.size(),
            1,
            AT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            7);
    return new Job(summary, "{}", "{}", attempts, exit, Optional.empty());
  }

  private static String id(char last) {
    return "0".repeat(31) + last;
  }

  private String told(Job job) {
    return ((Answer.Whole) answers.of(200, job)).body().toString();
  }

  private static String tagOf(Answer answer) {
    return answer.headers().getOrDefault("ETag", "none");
  }

  @Test
  void aJobThatIsAsItWasIsToldAsItWas() {
    Job job = job(id('1'), JobState.RUNNING, List.of(), Optional.empty());
    byte[] first = answers.json(job, NOWHERE);
    assertSame(first, answers.json(job, NOWHERE));
    assertSame(
        first, answers.json(job(id('1'), JobState.RUNNING, List.of(), Optional.empty()), NOWHERE));
    assertEquals(new String(first, StandardCharsets.UTF_8), told(job));
    assertEquals("\"7\"", tagOf(answers.of(200, job)));
    assertEquals(202, answers.of(202, job).status());
  }

  @Test
  void aPlaceIsToldAsItIsNow() {
    Job job = job(id('1'), JobState.QUEUED, List.of(), Optional.empty());
    String third = new String(answers.json(job, OptionalInt.of(3)), StandardCharsets.UTF_8);
    String second = new String(answers.json(job, OptionalInt.of(2)), StandardCharsets.UTF_8);
    assertTrue(third.contains("\"message\":\"It trains. Place in the queue: 3.\",\"place\":3"));
    assertTrue(second.contains("\"place\":2"), second);
    assertFalse(told(job).contains("lace"), "whoever does something to it asks for no place");
  }

  /** Whatever of it is another, be it of the same revision. */
  @Test
  void aJobThatIsNotAsItWasIsToldAnew() {
    Attempt attempt =
        new Attempt(
            1,
            "server",
            Optional.empty(),
            AT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Exit exit = new Exit(Optional.of(0), Optional.empty(), true);
    String before = told(job(id('1'), JobState.RUNNING, List.of(), Optional.empty()));
    for (Job other :
        List.of(
            job(id('2'), JobState.RUNNING, List.of(), Optional.empty()),
            job(id('1'), JobState.CANCELLING, List.of(), Optional.empty()),
            job(id('1'), JobState.RUNNING, List.of(attempt), Optional.empty()),
            job(id('1'), JobState.RUNNING, List.of(), Optional.of(exit)))) {
      assertEquals(told(other), told(other));
      assertEquals(JobJson.of(other, Retention.forEver(), NOWHERE).toString(), told(other));
      assertNotEquals(before, told(other));
    }
    assertEquals(before, told(job(id('1'), JobState.RUNNING, List.of(), Optional.empty())));
  }
}
