package dev.halfcell.rest.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.halfcell.rest.job.Description;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.JobSummary;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.StoreException;
import dev.halfcell.tensor.Problem;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class QueuePlacesTest {
  private final JobId first = JobId.random(new SecureRandom());
  private final JobId second = JobId.random(new SecureRandom());
  private final JobStore store = mock(JobStore.class);
  private final List<Runnable> behind = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private final QueuePlaces places = new QueuePlaces(store, () -> now, behind::add);

  private static JobSummary job(JobId id, JobState state) {
    return new JobSummary(
        id,
        "local",
        Optional.empty(),
        new Description(Optional.empty(), Map.of(), Optional.empty(), 0, false),
        "mlp",
        "O2",
        state,
        new StatusReason(StatusReason.Code.WAITING_FOR_WORKER, "It waits.", Instant.EPOCH),
        Optional.empty(),
        Map.of(),
        0,
        1,
        Instant.EPOCH,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        1);
  }

  private OptionalInt placeOf(JobId id) {
    return places.of(job(id, JobState.QUEUED));
  }

  private void later(long milliseconds) {
    now = now.plus(Duration.ofMillis(milliseconds));
  }

  @Test
  void whatWasReadIsToldForASecond() {
    when(store.queue()).thenReturn(List.of(first, second));
    assertEquals(OptionalInt.of(1), placeOf(first));
    later(999);
    assertEquals(OptionalInt.of(2), placeOf(second));
    assertEquals(OptionalInt.empty(), places.of(job(first, JobState.RUNNING)));
    assertEquals(List.of(), behind);
    verify(store, times(1)).queue();
  }

  /** A page of jobs does not wait for a queue of 10,000. */
  @Test
  void whoAsksInTheSecondBehindItDoesNotWaitForTheQueueToBeReadAnewOnce() {
    when(store.queue()).thenReturn(List.of(first, second)).thenReturn(List.of(second));
    assertEquals(OptionalInt.of(2), placeOf(second));
    later(1500);
    assertEquals(OptionalInt.of(2), placeOf(second));
    assertEquals(OptionalInt.of(1), placeOf(first));
    assertEquals(1, behind.size());
    behind.removeFirst().run();
    assertEquals(OptionalInt.of(1), placeOf(second));
    assertEquals(OptionalInt.empty(), placeOf(first));
    later(1500);
    var _ = placeOf(second);
    assertEquals(1, behind.size(), "and again");
  }

  @Test
  void whoComesLaterIsToldNothingThatIsOlder() {
    when(store.queue()).thenReturn(List.of(first, second)).thenReturn(List.of(second));
    assertEquals(OptionalInt.of(2), placeOf(second));
    later(2000);
    assertEquals(OptionalInt.of(1), placeOf(second));
    assertEquals(List.of(), behind);
  }

  /** Who asks next reads it, and is told why. */
  @Test
  void whereTheStoreFailsBehindAnAnswerTheNextOneIsTold() {
    var closed =
        new StoreException(new Problem("store", "jobs", "an open one", "a closed one", ""));
    when(store.queue()).thenReturn(List.of(first)).thenThrow(closed);
    var _ = placeOf(first);
    later(1500);
    assertEquals(OptionalInt.of(1), placeOf(first));
    behind.removeFirst().run();
    assertEquals(OptionalInt.of(1), placeOf(first));
    assertEquals(1, behind.size(), "it is tried again");
    later(500);
    assertThrows(StoreException.class, () -> placeOf(first));
  }
}
