package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.TrainEvent;
import dev.halfcell.train.TrainListener;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trainings on threads of their own; nothing here depends on how long anything takes. */
@Timeout(60)
final class StartedRunTest {
  private static final JobSpecification JOB =
      JobSpecification.ofYaml(
          """
          network:
            - {cell: Flatten}
            - {cell: Dense, inChannels: 784, outChannels: 10}
          dataset: {config: {shape: [1, 28, 28]}}
          precision: {level: O0}
          training: {steps: 6, batchSize: 4}
          device: cpu
          """);
  private static final Duration MOMENT = Duration.ofMillis(1);

  @TempDir private Path path;

  private RunFolder folder(String name) {
    return RunFolder.at(path.resolve(name));
  }

  private static TrainingRun open() {
    return TrainingRun.open(JOB, Optional.of("embedded"));
  }

  /** Holds the training at its first step until it is let go. */
  private static final class Held implements TrainListener {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);
    private final AtomicReference<String> thread = new AtomicReference<>("none");

    @Override
    public void on(TrainEvent event) {
      if (event instanceof TrainEvent.StepTaken) {
        thread.set(Thread.currentThread().getName());
        reached.countDown();
        try {
          free.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  @Test
  void theResultIsTheEndingAndTheModelThatOfARunOnTheCallersThread() throws Exception {
    RunFolder own = folder("own");
    StartedRun started = open().start(own, _ -> {});
    started.await();
    assertTrue(started.ended());
    assertInstanceOf(Ending.Completed.class, started.result());
    RunFolder here = folder("here");
    try (TrainingRun run = open()) {
      var _ = run.train(here, _ -> {}, () -> false);
    }
    assertArrayEquals(Files.readAllBytes(here.model()), Files.readAllBytes(own.model()));
  }

  @Test
  void aRunThatWasCancelledEndsAfterTheStepAtHandAndGoesOnToTheSameModel() throws Exception {
    RunFolder parted = folder("parted");
    Held held = new Held();
    StartedRun started = open().start(parted, held);
    held.reached.await();
    assertEquals("halfcell-run-parted", held.thread.get());
    assertFalse(started.await(MOMENT));
    List<CompletableFuture<Void>> cancels =
        Stream.generate(() -> CompletableFuture.runAsync(started::cancel)).limit(8).toList();
    cancels.forEach(CompletableFuture::join);
    assertFalse(started.ended(), "the step at hand is not over");
    held.free.countDown();
    started.await();
    started.cancel();
    Ending.Interrupted ending = assertInstanceOf(Ending.Interrupted.class, started.result());
    assertEquals(1, ending.steps());
    assertTrue(Files.exists(ending.checkpoint()));

    TrainingRun again = open();
    StartedRun rest = again.start(again.restore(parted), _ -> {});
    rest.await();
    assertInstanceOf(Ending.Completed.class, rest.result());
    RunFolder whole = folder("whole");
    StartedRun undisturbed = open().start(whole, _ -> {});
    undisturbed.await();
    assertInstanceOf(Ending.Completed.class, undisturbed.result());
    assertArrayEquals(Files.readAllBytes(whole.model()), Files.readAllBytes(parted.model()));
  }

  @Test
  void whatTheTrainingThrowsIsThrownByTheResultEachTime() throws Exception {
    for (Throwable failure :
        List.of(
            new IllegalStateException("x"),
            new CompletionException(new IOException("wrapped")),
            new StackOverflowError("y"))) {
      StartedRun started =
          StartedRun.prepared(
                  "failing",
                  _ -> {
                    if (failure instanceof Error error) {
                      throw error;
                    }
                    throw (RuntimeException) failure;
                  })
              .start();
      started.await();
      assertTrue(started.await(MOMENT));
      assertSame(failure, assertThrows(failure.getClass(), started::result));
      assertSame(failure, assertThrows(failure.getClass(), started::result));
    }
  }

  @Test
  void aListenerThatThrowsEndsTheTrainingAndIsTheResult() throws Exception {
    IllegalStateException failure = new IllegalStateException("a listener's");
    StartedRun started =
        open()
            .start(
                folder("failed"),
                _ -> {
                  throw failure;
                });
    started.await();
    assertSame(failure, assertThrows(IllegalStateException.class, started::result));
  }

  @Test
  void thereIsNoResultBeforeTheEndAndNoWaitingForOneself() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    CompletableFuture<StartedRun> self = new CompletableFuture<>();
    CompletableFuture<UsageException> refused = new CompletableFuture<>();
    StartedRun started =
        StartedRun.prepared(
                "waiting",
                _ -> {
                  StartedRun me = self.join();
                  refused.complete(assertThrows(UsageException.class, me::await));
                  assertThrows(UsageException.class, () -> me.await(MOMENT));
                  try {
                    free.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  return new Ending.Interrupted(0, Path.of("none"));
                })
            .start();
    self.complete(started);
    assertEquals("result", assertThrows(UsageException.class, started::result).problem().subject());
    free.countDown();
    started.await();
    assertEquals("await", refused.join().problem().subject());
    assertInstanceOf(Ending.Interrupted.class, started.result());
  }

  /** Who leaves the block that opened a run takes no memory from under its training. */
  @Test
  void closingARunThatTrainsCancelsItAndWaits() throws IOException {
    Held held = new Held();
    StartedRun started;
    try (TrainingRun run = open()) {
      started = run.start(folder("closed"), held);
      held.free.countDown();
    }
    assertTrue(started.ended());
    assertInstanceOf(Ending.class, started.result());
  }

  @Test
  void aRunTrainsOnce() throws Exception {
    TrainingRun run = open();
    Held held = new Held();
    StartedRun started = run.start(folder("first"), held);
    RunFolder second = folder("second");
    assertThrows(UsageException.class, () -> run.start(second, _ -> {}));
    held.free.countDown();
    started.await();
    assertInstanceOf(Ending.Completed.class, started.result());
  }

  @Test
  void anInterruptionOfWhoWaitsIsTold() {
    Held held = new Held();
    StartedRun started = open().start(folder("held"), held);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, started::await);
    Thread.currentThread().interrupt();
    held.free.countDown();
    started.awaitWhatever();
    assertTrue(Thread.interrupted());
    assertInstanceOf(Ending.Completed.class, started.result());
  }
}
