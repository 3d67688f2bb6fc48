package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.service.Workers.Stop;
import dev.halfcell.rest.store.JobStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose start takes long, as where its folder lies on files that do not answer. */
@Timeout(60)
@Tag("process")
final class WorkerControlTest {
  @TempDir private Path folder;

  private static WorkerControl control(WorkerSettings settings, JobStore store) {
    Processes processes = Processes.ofThisMachine();
    Ledger ledger = new Ledger(store, new EventHub());
    WorkerSocket socket = WorkerSocket.open(settings.directory(), Duration.ofSeconds(5));
    socket.close();
    WorkerLauncher launcher =
        new WorkerLauncher(List.of(), settings.folders(), processes, settings.directory());
    WorkerHouse house =
        new WorkerHouse(
            settings,
            FilesWatch.start(Optional.empty()),
            socket,
            launcher,
            new Launches(System::nanoTime),
            ledger,
            new Recovery(ledger, settings.folders()),
            processes,
            new Signals());
    WorkerBounds bounds = WorkerBounds.ofTask(1L << 30, Duration.ofSeconds(60), settings);
    return new WorkerControl(bounds, house);
  }

  @Test
  void whoLooksAtItOrStopsItDoesNotWaitAndItIsEndedOnceItIsThere() throws Exception {
    try (JobStore store = Rig.store(folder)) {
      WorkerControl control = control(Rig.settings(folder, Timing.usual(), Puppet.SLEEPS), store);
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch answers = new CountDownLatch(1);
      CompletableFuture<Integer> exit = new CompletableFuture<>();
      // No thread of a pool: where this fails, it may wait for long.
      Thread.ofPlatform().daemon().start(() -> exit.complete(launched(control, asked, answers)));
      await(asked);
      try {
        assertTimeoutPreemptively(
            Duration.ofSeconds(10),
            () -> {
              control.look();
              control.stop(Stop.CANCEL);
              assertEquals(Optional.of(Stop.CANCEL), control.stopped());
            });
      } finally {
        answers.countDown();
      }
      assertEquals(128 + 9, exit.get(30, TimeUnit.SECONDS));
    }
  }

  /** With which code the process ends, or -1 where there was none. */
  private static int launched(WorkerControl control, CountDownLatch asked, CountDownLatch answers) {
    return control
        .launch(
            () -> {
              asked.countDown();
              await(answers);
              return new ProcessBuilder("setsid", "sleep", "120").start();
            })
        .map(control::awaitExit)
        .orElse(-1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
