package dev.halfcell.rest.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.Move;
import dev.halfcell.rest.job.StatusReason.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads that accept, claim, complete and cancel at once are told what one thread could have been
 * told: for rounds of random calls an order is searched that the states and the queue's rule allow.
 */
final class QueueRaceTest {
  private static final int THREADS = 3;
  private static final int CALLS = 5;
  private static final int JOBS = 4;
  private static final AcceptLimits LIMITS = new AcceptLimits(2, 100);

  @TempDir private Path folder;

  /** The states of the jobs that there are, by their numbers. */
  private record Model(Map<Integer, JobState> jobs) {
    Model with(int job, JobState state) {
      Map<Integer, JobState> next = new TreeMap<>(jobs);
      next.put(job, state);
      return new Model(next);
    }

    History.Step<Model> accept(int job) {
      long waiting = jobs.values().stream().filter(state -> state == JobState.QUEUED).count();
      return waiting >= LIMITS.queued()
          ? new History.Step<>(this, "full")
          : new History.Step<>(with(job, JobState.QUEUED), "accepted");
    }

    /** The oldest that waits. */
    History.Step<Model> claim() {
      for (Map.Entry<Integer, JobState> job : jobs.entrySet()) {
        if (job.getValue() == JobState.QUEUED) {
          return new History.Step<>(with(job.getKey(), JobState.STARTING), "job " + job.getKey());
        }
      }
      return new History.Step<>(this, "none");
    }

    History.Step<Model> apply(int job, JobAction action) {
      JobState state = jobs.get(job);
      if (state == null) {
        return new History.Step<>(this, "missing");
      }
      return switch (state.next(action)) {
        case Move.Refused() -> new History.Step<>(this, "refused in " + state);
        case Move.Stays() -> new History.Step<>(this, "stays in " + state);
        case Move.To(JobState to) -> new History.Step<>(with(job, to), "to " + to);
      };
    }
  }

  @Test
  void aFewThreadsAreToldWhatOneCouldBe() throws Exception {
    rounds(10, 14);
  }

  /** {@code -Dhalfcell.races=1000} for more. */
  @Test
  @Tag("slow")
  void threadsAreToldWhatOneCouldBe() throws Exception {
    rounds(Integer.getInteger("halfcell.races", 200), System.nanoTime());
  }

  private void rounds(int rounds, long seed) throws Exception {
    System.out.println("QueueRaceTest: " + rounds + " rounds, seed " + seed);
    Random random = new Random(seed);
    Path made = folder.resolve("made.db");
    SqlJobStore.open(new StoreSettings.Sqlite(made)).close();
    for (int round = 0; round < rounds; round++) {
      Path path = Files.copy(made, folder.resolve("round" + round + ".db"));
      try (JobStore store = SqlJobStore.open(new StoreSettings.Sqlite(path))) {
        History<Model> history = round(store, random.nextLong());
        int number = round;
        assertTrue(
            history.linearizable(new Model(Map.of())),
            () -> "no order explains round " + number + " of seed " + seed + "\n" + history);
      }
    }
  }

  private static History<Model> round(JobStore store, long seed) throws InterruptedException {
    History<Model> history = new History<>();
    List<NewJob> jobs = new ArrayList<>();
    for (int job = 0; job < JOBS; job++) {
      jobs.add(Jobs.job(job));
    }
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      Random random = new Random(seed + thread);
      int own = thread;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(begin);
                    for (int call = 0; call < CALLS; call++) {
                      call(store, history, jobs, own * CALLS + call, random);
                    }
                  }));
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    return history;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each job is sent by one call alone, the first of so many; all others are drawn. */
  private static void call(
      JobStore store, History<Model> history, List<NewJob> jobs, int number, Random random) {
    int job = random.nextInt(JOBS);
    if (number % CALLS < 2 && number / CALLS * 2 + number % CALLS < JOBS) {
      int sent = number / CALLS * 2 + number % CALLS;
      history.run(
          "accept " + sent,
          model -> model.accept(sent),
          () ->
              store.accept(jobs.get(sent), LIMITS) instanceof Acceptance.Accepted
                  ? "accepted"
                  : "full");
    } else if (random.nextInt(3) == 0) {
      history.run(
          "claim",
          Model::claim,
          () ->
              store
                  .claim(Jobs.claim("s", 60))
                  .map(taken -> "job " + number(jobs, taken.job().id()))
                  .orElse("none"));
    } else {
      JobAction action = random.nextBoolean() ? JobAction.ASK_CANCEL : JobAction.BEGIN;
      history.run(
          action + " " + job,
          model -> model.apply(job, action),
          () -> told(store.apply(jobs.get(job).id(), Jobs.does(action, Code.TRAINING, 60))));
    }
  }

  private static int number(List<NewJob> jobs, dev.halfcell.rest.job.JobId id) {
    return jobs.stream().map(NewJob::id).toList().indexOf(id);
  }

  private static String told(Applied applied) {
    return switch (applied) {
      case Applied.Moved moved -> "to " + moved.job().state();
      case Applied.Stayed stayed -> "stays in " + stayed.job().state();
      case Applied.Refused refused -> "refused in " + refused.job().state();
      case Applied.Missing _ -> "missing";
      case Applied.Fenced _ -> "fenced";
    };
  }

  /** A job that two were given, as a claim that is no transaction would: the search notices. */
  @Test
  void whatNoOrderExplainsIsNoticed() {
    History<Model> history = new History<>();
    history.run("accept 0", model -> model.accept(0), () -> "accepted");
    history.run("claim", Model::claim, () -> "job 0");
    assertTrue(history.linearizable(new Model(Map.of())));
    history.run("claim", Model::claim, () -> "job 0");
    assertFalse(history.linearizable(new Model(Map.of())));
  }
}
