package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.supervisor.Preemption.Holder;
import dev.halfcell.rest.supervisor.Preemption.Room;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PreemptionTest {
  private static final Instant AT = Instant.parse("2026-11-25T10:00:00Z");

  private static Holder<String> holder(String name, int priority, long bytes, int second) {
    return new Holder<>(name, priority, bytes, AT.plusSeconds(second), false);
  }

  private static Holder<String> ending(String name, int priority, long bytes) {
    return new Holder<>(name, priority, bytes, AT, true);
  }

  /** Of priority 5. */
  private static JobSummary head(long bytes) {
    return new JobSummary(
        new JobId("0".repeat(32)),
        "local",
        Optional.empty(),
        new Description(Optional.empty(), Map.of(), Optional.empty(), 5, false),
        "lenet5",
        "O2",
        JobState.QUEUED,
        new StatusReason(StatusReason.Code.WAITING_FOR_WORKER, "It waits.", AT),
        Optional.empty(),
        Map.of(),
        0,
        bytes,
        AT,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        1);
  }

  @Test
  void theLowestPriorityEndsAndOfThoseTheYoungest() {
    List<Holder<String>> holders =
        List.of(
            holder("old", 1, 10, 0),
            holder("young", 1, 10, 9),
            holder("higher", 2, 10, 10),
            holder("as high", 5, 10, 11));
    assertEquals(List.of("young"), Preemption.chosen(head(10), new Room(0, 0), holders));
    assertEquals(List.of("old", "young"), Preemption.chosen(head(20), new Room(0, 0), holders));
  }

  @Test
  void nobodyEndsWhereThereIsRoomOrWillBe() {
    List<Holder<String>> lower = List.of(holder("low", 0, 10, 0));
    assertEquals(List.of(), Preemption.chosen(head(10), new Room(1, 10), lower));
    List<Holder<String>> going = List.of(holder("low", 0, 10, 0), ending("going", 9, 10));
    assertEquals(List.of(), Preemption.chosen(head(10), new Room(0, 0), going));
    assertEquals(List.of("low"), Preemption.chosen(head(11), new Room(0, 0), going));
  }

  @Test
  void nobodyEndsInVain() {
    List<Holder<String>> holders =
        List.of(holder("low", 0, 10, 0), holder("as high", 5, 100, 0), holder("high", 6, 100, 0));
    assertEquals(List.of(), Preemption.chosen(head(11), new Room(0, 0), holders));
    assertEquals(List.of(), Preemption.chosen(head(11), new Room(4, 0), holders));
    assertEquals(List.of("low"), Preemption.chosen(head(11), new Room(4, 1), holders));
  }

  @Test
  void smallOnesThatAreNotNeededGoOn() {
    List<Holder<String>> holders =
        List.of(holder("small", 0, 1, 0), holder("large", 1, 100, 0), holder("some", 0, 50, 0));
    assertEquals(List.of("large"), Preemption.chosen(head(90), new Room(0, 0), holders));
  }
}
