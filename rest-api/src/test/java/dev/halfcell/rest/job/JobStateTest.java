package dev.halfcell.rest.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a job, state by state and action by action. */
final class JobStateTest {
  /** A row for each state, a column for each action: "-" refuses, "." stays. */
  @ParameterizedTest
  @CsvSource({
    // state, CLAIM, BEGIN, COMPLETE, FAIL, EXPIRE, LOSE, PAUSE, QUEUE, ASK_CANCEL, ASK_PAUSE
    "QUEUED, STARTING, -, -, -, FAILED, -, -, ., CANCELLED, PAUSED",
    "STARTING, -, RUNNING, -, FAILED, -, INTERRUPTED, PAUSED, -, CANCELLING, .",
    "RUNNING, -, ., SUCCEEDED, FAILED, -, INTERRUPTED, PAUSED, -, CANCELLING, .",
    "PAUSED, -, -, -, -, -, -, -, QUEUED, CANCELLED, .",
    "INTERRUPTED, -, -, -, FAILED, -, -, -, QUEUED, CANCELLED, PAUSED",
    "CANCELLING, -, ., SUCCEEDED, CANCELLED, -, CANCELLED, CANCELLED, -, ., -",
    "SUCCEEDED, -, -, -, -, -, -, -, -, ., -",
    "FAILED, -, -, -, -, -, -, -, -, ., -",
    "CANCELLED, -, -, -, -, -, -, -, -, ., -"
  })
  void eachActionDoesWhatIsWrittenHere(ArgumentsAccessor row) {
    JobState state = row.get(0, JobState.class);
    List<Object> wanted = row.toList().subList(1, row.size());
    List<String> got =
        Arrays.stream(JobAction.values()).map(action -> shown(state.next(action))).toList();
    assertEquals(wanted, got);
  }

  private static String shown(Move move) {
    return switch (move) {
      case Move.To(JobState state) -> state.name();
      case Move.Stays() -> ".";
      case Move.Refused() -> "-";
    };
  }

  @Tag("KubeRay-3903")
  @Tag("MLflow-1832")
  @ParameterizedTest
  @EnumSource(JobState.class)
  void whatIsNotOverCanAlwaysEnd(JobState from) {
    Set<JobState> reached = EnumSet.of(from);
    Deque<JobState> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      JobState state = open.poll();
      for (JobAction action : JobAction.values()) {
        if (state.next(action) instanceof Move.To(JobState next) && reached.add(next)) {
          open.add(next);
        }
      }
    }
    if (from.terminal()) {
      assertEquals(Set.of(from), reached);
    } else {
      assertTrue(reached.containsAll(Set.of(JobState.SUCCEEDED, JobState.CANCELLED)), from.name());
    }
  }
}
