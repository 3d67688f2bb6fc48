package dev.halfcell.rest.store;

import static dev.halfcell.rest.store.Jobs.at;
import static dev.halfcell.rest.store.Jobs.because;
import static dev.halfcell.rest.store.Jobs.does;
import static dev.halfcell.rest.store.Jobs.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Attempt;
import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.Exit;
import dev.halfcell.rest.job.Failure;
import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Moving jobs, and what is told of them. */
abstract class MoveContract extends AcceptContract {
  static Report told(int step, Report.Happened... events) {
    JobProgress progress =
        new JobProgress(step, Optional.of(100L), 1, 2, step / 100.0, Optional.of(0.5), at(step));
    return new Report(
        Optional.of(4711L), Optional.of(0L), Optional.of(progress), Map.of(), List.of(events));
  }

  static Report.Happened stepEvent(int second) {
    return new Report.Happened(at(second), EventKind.STEP, "{\"step\":" + second + "}");
  }

  final Job running(int second) {
    Job job = claimed("s", second);
    Applied begun =
        store().apply(job.id(), does(JobAction.BEGIN, Code.TRAINING, second, fence(job)));
    return assertInstanceOf(Applied.Moved.class, begun).job();
  }

  @Test
  void aMoveIsWrittenWithItsEventAndItsRevision() {
    accept(job(0));
    Job job = claimed("s", 1);
    assertEquals(JobState.STARTING, job.state());
    assertEquals(Code.STARTING_WORKER, job.summary().statusReason().code());
    Applied.Moved moved =
        assertInstanceOf(
            Applied.Moved.class,
            store().apply(job.id(), does(JobAction.BEGIN, Code.TRAINING, 2, fence(job))));
    assertEquals(moved.job(), there(job.id()));
    assertEquals(JobState.RUNNING, moved.job().state());
    assertEquals(because(Code.TRAINING, 2), moved.job().summary().statusReason());
    assertEquals(Optional.of(at(2)), moved.job().summary().startedAt());
    assertEquals(job.summary().revision() + 1, moved.job().summary().revision());
    assertEquals(
        new JobEvent(
            job.id(),
            2,
            1,
            at(2),
            EventKind.STATE,
            "{\"from\":\"STARTING\",\"to\":\"RUNNING\","
                + "\"reason\":{\"code\":\"TRAINING\",\"message\":\"training.\"}}"),
        moved.event());
    List<JobEvent> events = store().events(job.id(), 0, 10);
    assertEquals(2, events.size());
    assertEquals(moved.event(), events.get(1));
    assertTrue(events.get(0).data().contains("\"from\":\"QUEUED\",\"to\":\"STARTING\""));
    assertEquals(1, events.get(0).attempt());
  }

  @Test
  void anEndIsKeptWithItsAttempt() {
    accept(job(0));
    Job job = running(1);
    Exit exit = new Exit(Optional.empty(), Optional.of(9), false);
    Failure failure =
        new Failure(
            "memory",
            "too much",
            Optional.of("/conv1"),
            Optional.of(3L),
            true,
            true,
            "a\nb\u0000\u001b[1m");
    Transition fails =
        new Transition(
            JobAction.FAIL,
            because(Code.OUT_OF_MEMORY, 5),
            Optional.of(fence(job)),
            Optional.of(exit),
            Optional.of(failure));
    store().apply(job.id(), fails);
    Job failed = there(job.id());
    assertEquals(JobState.FAILED, failed.state());
    assertEquals(Optional.of(at(5)), failed.summary().endedAt());
    assertEquals(Optional.of(exit), failed.exit());
    assertEquals(Optional.of(failure), failed.failure());
    Attempt attempt = failed.attempts().getFirst();
    assertEquals(Optional.of(at(5)), attempt.endedAt());
    assertEquals(Optional.of(Code.OUT_OF_MEMORY), attempt.reason());
    assertEquals(Optional.of(exit), attempt.exit());
    assertEquals(at(1), attempt.startedAt());
    Applied again =
        store().apply(job.id(), does(JobAction.COMPLETE, Code.COMPLETED, 6, fence(job)));
    assertEquals(new Applied.Refused(failed), again);
    assertEquals(failed, there(job.id()));
  }

  @Test
  void anAttemptThatWasLostEndedWithItsLease() {
    accept(job(0));
    Job first = running(1);
    store().apply(first.id(), does(JobAction.LOSE, Code.SERVER_LOST, 40_000, fence(first)));
    assertEquals(Optional.of(at(16)), there(first.id()).attempts().getFirst().endedAt());
    assertEquals(at(40_000), there(first.id()).summary().statusReason().since());
    store().apply(first.id(), does(JobAction.QUEUE, Code.WAITING_FOR_WORKER, 40_000));
    Job second = running(40_001);
    store().apply(second.id(), does(JobAction.LOSE, Code.WORKER_LOST, 40_005, fence(second)));
    assertEquals(Optional.of(at(40_005)), there(first.id()).attempts().getLast().endedAt());
  }

  @Test
  void oldAttemptsAreRefused() {
    accept(job(0));
    Job first = running(1);
    store().apply(first.id(), does(JobAction.LOSE, Code.WORKER_LOST, 2, fence(first)));
    store().apply(first.id(), does(JobAction.QUEUE, Code.WAITING_FOR_WORKER, 2));
    assertInstanceOf(
        Applied.Fenced.class,
        store().apply(first.id(), does(JobAction.FAIL, Code.TRAINING_FAILED, 3, fence(first))));
    assertEquals(Optional.empty(), store().report(fence(first), told(3)));
    Job second = running(4);
    assertEquals(2, second.attempts().size());
    for (Fence old :
        List.of(fence(first), new Fence(first.id(), "t", 2), new Fence(first.id(), "s", 3))) {
      assertEquals(
          new Applied.Fenced(second),
          store().apply(first.id(), does(JobAction.COMPLETE, Code.COMPLETED, 5, old)));
      assertEquals(Optional.empty(), store().report(old, told(5, stepEvent(5))));
    }
    assertEquals(second, there(first.id()));
    assertInstanceOf(
        Applied.Moved.class,
        store().apply(first.id(), does(JobAction.COMPLETE, Code.COMPLETED, 6, fence(second))));
    assertEquals(Optional.empty(), store().report(fence(second), told(7, stepEvent(7))));
    assertEquals(Optional.of(at(1)), there(first.id()).summary().startedAt());
  }

  @Test
  void aWishToPauseIsSaidUntilItIsFulfilled() {
    accept(job(0));
    Job job = claimed("s", 1);
    Applied.Stayed stayed =
        assertInstanceOf(
            Applied.Stayed.class,
            store().apply(job.id(), does(JobAction.ASK_PAUSE, Code.PAUSING, 2)));
    assertEquals(because(Code.PAUSING, 2), stayed.job().summary().statusReason());
    assertEquals(stayed.job(), there(job.id()));
    assertEquals(1, store().events(job.id(), 0, 10).size());
    assertEquals(stayed, store().apply(job.id(), does(JobAction.ASK_PAUSE, Code.PAUSING, 3)));
    store().apply(job.id(), does(JobAction.BEGIN, Code.TRAINING, 4, fence(job)));
    assertEquals(because(Code.PAUSING, 2), there(job.id()).summary().statusReason());
    store().apply(job.id(), does(JobAction.PAUSE, Code.PAUSED_BY_REQUEST, 5, fence(job)));
    assertEquals(because(Code.PAUSED_BY_REQUEST, 5), there(job.id()).summary().statusReason());
    assertEquals(
        List.of(1L, 2L, 3L),
        store().events(job.id(), 0, 10).stream().map(JobEvent::number).toList());
  }

  /** Whoever tells of the loss may not have read of the wish yet. */
  @Test
  void whatWasToWaitWaitsWhereItsWorkerIsLost() {
    accept(job(0));
    Job job = running(1);
    store().apply(job.id(), does(JobAction.ASK_PAUSE, Code.PAUSING, 2));
    Applied.Moved lost =
        assertInstanceOf(
            Applied.Moved.class,
            store().apply(job.id(), does(JobAction.LOSE, Code.WORKER_LOST, 3, fence(job))));
    assertEquals(JobState.PAUSED, lost.job().state());
    assertEquals(
        new StatusReason(Code.PAUSED_BY_REQUEST, "paused as it was asked; worker_lost.", at(3)),
        lost.job().summary().statusReason());
    assertEquals(
        Optional.of(Code.WORKER_LOST), lost.job().attempts().getFirst().reason(), "a death still");
    assertTrue(lost.event().data().contains("\"from\":\"RUNNING\",\"to\":\"PAUSED\""));
    assertEquals(lost.job(), there(job.id()));
  }

  @Test
  void whatWasToBeCancelledIsCancelledHoweverItsWorkerEnds() {
    accept(job(0));
    Job job = running(1);
    store().apply(job.id(), does(JobAction.ASK_CANCEL, Code.CANCELLING, 2));
    Failure failure =
        new Failure("worker", "died", Optional.empty(), Optional.empty(), false, true, "");
    store()
        .apply(
            job.id(),
            new Transition(
                JobAction.FAIL,
                because(Code.WORKERS_KEEP_DYING, 3),
                Optional.of(fence(job)),
                Optional.of(new Exit(Optional.of(1), Optional.empty(), false)),
                Optional.of(failure)));
    Job over = there(job.id());
    assertEquals(JobState.CANCELLED, over.state());
    assertEquals(Code.CANCELLED_BY_REQUEST, over.summary().statusReason().code());
    assertEquals(Optional.empty(), over.failure());
    assertEquals(Optional.of(at(3)), over.summary().endedAt());
  }

  @Test
  void whatItsProcessExitedWithIsKeptUntilTheNextExit() {
    accept(job(0));
    Job job = running(1);
    Exit exit = new Exit(Optional.of(3), Optional.empty(), false);
    store()
        .apply(
            job.id(),
            new Transition(
                JobAction.LOSE,
                because(Code.WORKER_LOST, 2),
                Optional.of(fence(job)),
                Optional.of(exit),
                Optional.empty()));
    store().apply(job.id(), does(JobAction.FAIL, Code.WORKERS_KEEP_DYING, 3, fence(job)));
    assertEquals(Optional.of(exit), there(job.id()).exit());
    assertEquals(JobState.FAILED, there(job.id()).state());
  }

  @Test
  void claimsAreNotTransitions() {
    Job job = accept(job(0));
    assertThrows(
        ArgumentException.class,
        () -> store().apply(job.id(), does(JobAction.CLAIM, Code.STARTING_WORKER, 1)));
  }

  @Test
  void reportsAreKept() {
    accept(job(0));
    Job job = running(1);
    Report report =
        new Report(
            Optional.of(99L),
            Optional.of(12L),
            told(20).progress(),
            Map.of("loss", 0.25, "accuracy", Double.NaN),
            List.of(stepEvent(2), stepEvent(3)));
    List<JobEvent> events = store().report(fence(job), report).orElseThrow();
    assertEquals(List.of(3L, 4L), events.stream().map(JobEvent::number).toList());
    assertEquals(events, store().events(job.id(), 2, 10));
    store()
        .report(
            fence(job),
            new Report(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of("loss", Double.POSITIVE_INFINITY),
                List.of()));
    Job told = there(job.id());
    assertEquals(report.progress(), told.summary().progress());
    assertEquals(
        Map.of("loss", Double.POSITIVE_INFINITY, "accuracy", Double.NaN), told.summary().metrics());
    assertEquals(Optional.of(99L), told.attempts().getFirst().pid());
    assertEquals(Optional.of(12L), told.attempts().getFirst().fromStep());
    assertEquals(job.summary().revision() + 2, told.summary().revision());
    assertEquals(because(Code.TRAINING, 1), told.summary().statusReason());
    Report nothing =
        new Report(Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), List.of());
    assertEquals(Optional.of(List.of()), store().report(fence(job), nothing));
    assertEquals(told, there(job.id()));
  }

  /** It begins at a checkpoint; where, its worker will say. */
  @Test
  void howFarTheAttemptBeforeWasIsNotSaidOfTheNext() {
    accept(job(0));
    Job first = running(1);
    assertTrue(store().report(fence(first), told(20)).isPresent());
    store().apply(first.id(), does(JobAction.LOSE, Code.WORKER_LOST, 2, fence(first)));
    store().apply(first.id(), does(JobAction.QUEUE, Code.WAITING_FOR_WORKER, 3, fence(first)));
    assertEquals(told(20).progress(), there(first.id()).summary().progress());
    Job second = claimed("s", 4);
    assertEquals(2, second.summary().attempt());
    assertEquals(Optional.empty(), second.summary().progress());
    assertTrue(store().report(fence(second), told(12)).isPresent());
    assertEquals(told(12).progress(), there(second.id()).summary().progress());
  }

  @Test
  void theOldestEventsAreDropped() {
    accept(job(0));
    Job job = running(1);
    Report.Happened[] many =
        IntStream.range(0, 30).mapToObj(MoveContract::stepEvent).toArray(Report.Happened[]::new);
    store().report(fence(job), told(1, many));
    assertEquals(1, store().oldestEvent(job.id()));
    store().report(fence(job), told(2, many));
    assertEquals(62 - EVENTS_KEPT + 1, store().oldestEvent(job.id()));
    List<JobEvent> kept = store().events(job.id(), 0, 1000);
    assertEquals(
        LongStream.rangeClosed(13, 62).boxed().toList(),
        kept.stream().map(JobEvent::number).toList());
    assertEquals(kept.subList(7, 10), store().events(job.id(), 19, 3));
  }
}
