package dev.halfcell.rest.store;

import static dev.halfcell.rest.store.Jobs.because;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Move;
import dev.halfcell.rest.job.StatusReason.Code;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every store of jobs has to do. */
abstract class JobStoreContract extends ListContract {
  /** Takes away what was added to the tables since the first version that was given to others. */
  private static final List<String> BACK_TO_THE_FIRST =
      List.of(
          "DROP TABLE fact",
          "DROP INDEX job_by_wait",
          "ALTER TABLE job DROP COLUMN wait_until",
          "DELETE FROM " + Schema.HISTORY + " WHERE version IN ('2', '3')");

  /** The database of {@link #empty()} again, with what is in it. */
  abstract Database again();

  /** Does something to it that no store does. */
  abstract void onTheSide(String statement) throws SQLException;

  /** A job as {@link JobState#next} says it has to be. */
  private static final class Model {
    final JobId id;
    JobState state = JobState.QUEUED;
    int attempt;
    long events;

    Model(JobId id) {
      this.id = id;
    }
  }

  @Test
  void aDatabaseOfTheFirstVersionIsTakenOverWithItsJobs() throws SQLException {
    accept(Jobs.job(0));
    Job running = claimed("s", 1);
    Job queued = accept(Jobs.job(1));
    List<JobEvent> events = store().events(running.id(), 0, 10);
    store().close();
    for (String statement : BACK_TO_THE_FIRST) {
      onTheSide(statement);
    }
    try (JobStore after = new SqlJobStore(again(), EVENTS_KEPT, () -> now.get())) {
      assertEquals(Optional.of(running), after.find(running.id()));
      assertEquals(events, after.events(running.id(), 0, 10));
      assertEquals(queued.id(), after.claim(Jobs.claim("s", 2)).orElseThrow().job().id());
    }
  }

  @Test
  void aStoreThatIsOpenedAgainIsAsFullAsItWas() {
    accept(Jobs.job(0));
    accept(Jobs.job(1));
    store().close();
    try (JobStore after = new SqlJobStore(again(), EVENTS_KEPT, () -> now.get())) {
      AcceptLimits two = new AcceptLimits(2, 9);
      assertEquals(new Acceptance.QueueFull(2, 2), after.accept(Jobs.job(2), two));
      assertTrue(after.claim(Jobs.claim("s", 3)).isPresent());
      assertInstanceOf(Acceptance.Accepted.class, after.accept(Jobs.job(4), two));
      assertEquals(
          new Acceptance.QuotaReached(3, 3), after.accept(Jobs.job(5), new AcceptLimits(9, 3)));
    }
  }

  @Test
  void anythingDoneInAnyOrderLeavesWhatTheStatesSay() {
    long seed = Long.getLong("halfcell.store.seed", 14);
    System.out.println(getClass().getSimpleName() + ": seed " + seed);
    Random random = new Random(seed);
    List<Model> models = new ArrayList<>();
    for (int second = 0; second < 400; second++) {
      if (models.size() < 12 || random.nextInt(20) == 0) {
        models.add(new Model(accept(Jobs.job(second)).id()));
      }
      step(random, models, second);
    }
    for (Model model : models) {
      check(model);
    }
    for (JobState state : JobState.values()) {
      long counted = models.stream().filter(model -> model.state == state).count();
      assertEquals(counted, store().counts().get(state.name()), state.name());
    }
  }

  private void step(Random random, List<Model> models, int second) {
    Model model = models.get(random.nextInt(models.size()));
    List<JobAction> actions = List.of(JobAction.values());
    JobAction action = actions.get(random.nextInt(actions.size()));
    int number = random.nextInt(4) == 0 ? model.attempt - 1 : model.attempt;
    Fence fence = new Fence(model.id, "s", number);
    boolean old = number != model.attempt || model.attempt == 0;
    if (action == JobAction.CLAIM) {
      claim(models, second);
      return;
    }
    if (random.nextInt(3) == 0) {
      report(model, fence, old);
      return;
    }
    boolean fenced = random.nextBoolean();
    boolean queued = model.state == JobState.QUEUED || model.state == JobState.PAUSED;
    Transition transition =
        fenced
            ? Transition.of(action, because(Code.TRAINING, second), fence)
            : Transition.of(action, because(Code.TRAINING, second));
    Applied applied = store().apply(model.id, transition);
    if (fenced && (old || queued)) {
      assertTrue(applied instanceof Applied.Fenced, () -> model.state + " " + transition);
      return;
    }
    switch (model.state.next(action)) {
      case Move.Refused() -> assertTrue(applied instanceof Applied.Refused);
      case Move.Stays() -> assertTrue(applied instanceof Applied.Stayed);
      case Move.To(JobState to) -> {
        model.state = to;
        model.events++;
        assertEquals(model.events, ((Applied.Moved) applied).event().number());
      }
    }
  }

  /** The oldest in the queue, for all have the same owner and priority. */
  private void claim(List<Model> models, int second) {
    Optional<Model> head =
        models.stream().filter(model -> model.state == JobState.QUEUED).findFirst();
    Optional<Job> claimed = store().claim(Jobs.claim("s", second)).map(Applied.Moved::job);
    assertEquals(head.map(model -> model.id), claimed.map(Job::id));
    if (head.isPresent()) {
      head.get().state = JobState.STARTING;
      head.get().attempt++;
      head.get().events++;
    }
  }

  private void report(Model model, Fence fence, boolean old) {
    Optional<List<JobEvent>> told = store().report(fence, told(1, stepEvent(1), stepEvent(2)));
    assertEquals(!old && model.state.held(), told.isPresent());
    if (told.isPresent()) {
      model.events += 2;
      assertEquals(model.events, told.get().getLast().number());
    }
  }

  private void check(Model model) {
    Job job = there(model.id);
    assertEquals(model.state, job.state());
    assertEquals(model.attempt, job.summary().attempt());
    assertEquals(model.attempt, job.attempts().size());
    assertEquals(model.state.terminal(), job.summary().endedAt().isPresent());
    for (int i = 0; i < job.attempts().size(); i++) {
      boolean open = job.attempts().get(i).endedAt().isEmpty();
      assertEquals(i == job.attempts().size() - 1 && model.state.held(), open);
    }
    long first = Math.max(1, model.events - EVENTS_KEPT + 1);
    assertEquals(first, store().oldestEvent(model.id));
    assertEquals(
        LongStream.rangeClosed(first, model.events).boxed().toList(),
        store().events(model.id, 0, 10_000).stream().map(JobEvent::number).toList());
  }

  @Test
  void whatIsToldByManyAtOnceHasNumbersWithoutAGap() throws Exception {
    accept(Jobs.job(0));
    Job job = running(1);
    List<List<JobEvent>> told =
        together(
            8,
            thread -> {
              List<JobEvent> mine = new ArrayList<>();
              for (int i = 0; i < 6; i++) {
                mine.addAll(store().report(fence(job), told(i, stepEvent(thread))).orElseThrow());
              }
              return mine;
            });
    List<Long> numbers =
        told.stream().flatMap(List::stream).map(JobEvent::number).sorted().toList();
    assertEquals(LongStream.rangeClosed(3, 50).boxed().toList(), numbers);
  }

  @Test
  void oneOfManyEndsIsTheEnd() throws Exception {
    accept(Jobs.job(0));
    Job job = running(1);
    List<Applied> applied =
        together(
            8,
            thread ->
                store()
                    .apply(
                        job.id(),
                        Jobs.does(
                            thread % 2 == 0 ? JobAction.COMPLETE : JobAction.FAIL,
                            thread % 2 == 0 ? Code.COMPLETED : Code.TRAINING_FAILED,
                            thread)));
    assertEquals(1, applied.stream().filter(a -> a instanceof Applied.Moved).count());
    assertEquals(7, applied.stream().filter(a -> a instanceof Applied.Refused).count());
    assertEquals(3, store().events(job.id(), 0, 10).size());
  }

  @Test
  void oneThatFailsHarmsNoOther() throws Exception {
    NewJob there = Jobs.job(0);
    accept(there);
    List<Boolean> all =
        together(
            12,
            thread -> {
              for (int i = 0; i < 5; i++) {
                if (thread % 4 == 0) { // the same id once more: no transaction can keep that
                  assertThrows(StoreException.class, () -> store().accept(there, Jobs.NO_LIMITS));
                } else {
                  accept(Jobs.job(i));
                }
              }
              return true;
            });
    assertEquals(12, all.size());
    assertEquals(1 + 9 * 5, store().counts().get("QUEUED"));
  }

  @Test
  void aClosedStoreSaysSo() {
    store().close();
    store().close();
    assertThrows(StoreException.class, () -> store().accept(Jobs.job(0), Jobs.NO_LIMITS));
    assertThrows(StoreException.class, () -> store().counts());
  }
}
