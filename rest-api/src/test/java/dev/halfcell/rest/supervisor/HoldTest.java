package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobEvent;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.EventHub;
import dev.halfcell.rest.store.Claim;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.StoreException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.job.JobSpecification;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who holds a job, where servers share a store. */
@Timeout(300)
@Tag("process")
final class HoldTest {
  private static final Timing QUICK =
      Timing.usual().lease(Duration.ofSeconds(4)).silence(Duration.ofMinutes(1));

  @TempDir private Path folder;

  /** What becomes of a renewal while the line is down. */
  @FunctionalInterface
  private interface Down {
    void renews();
  }

  private static void refuses() {
    throw new StoreException(
        new Problem("job store", "there", "an answer", "none", ""),
        new SQLException("the line is down"));
  }

  private static void silent(AtomicBoolean down) {
    for (int tenths = 0; tenths < 200 && down.get(); tenths++) {
      Rig.sleep(100);
    }
  }

  /** A store that servers share, and to which no renewal comes through while the line is down. */
  private static JobStore shared(JobStore store, AtomicBoolean down, Down how) {
    return (JobStore)
        Proxy.newProxyInstance(
            JobStore.class.getClassLoader(),
            new Class<?>[] {JobStore.class},
            (_, method, arguments) -> {
              if (method.getName().equals("shared")) {
                return true;
              }
              if (method.getName().equals("renew") && down.get()) {
                how.renews();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aServerWhoseHoldIsOverEndsItsWorkersAndTakesNoJobUntilItHoldsAgain() throws Exception {
    AtomicBoolean down = new AtomicBoolean();
    JobStore store = shared(Rig.store(folder), down, HoldTest::refuses);
    try (Rig rig = new Rig(store, Rig.settings(folder, QUICK, Puppet.SLEEPS))) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet _ = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
        down.set(true);
        Instant end = Instant.now().plusSeconds(30);
        while (Rig.processes(id) > 0 && Instant.now().isBefore(end)) {
          Rig.sleep(10);
        }
        assertEquals(0, Rig.processes(id));
        rig.await(id, JobState.QUEUED);
        Rig.sleep(1_500);
        assertEquals(1, rig.job(id).attempts().size());
        down.set(false);
        Job job = rig.await(id, each -> each.attempts().size() == 2, "a second attempt");
        assertEquals(Optional.of(Code.SERVER_LOST), job.attempts().getFirst().reason());
      }
    }
  }

  /** Whoever renews waits for an answer, and cannot do anything else meanwhile. */
  @Test
  void aServerWhoseStoreIsSilentEndsItsWorkersWithItsHold() throws Exception {
    AtomicBoolean down = new AtomicBoolean();
    JobStore store = shared(Rig.store(folder), down, () -> silent(down));
    try (Rig rig = new Rig(store, Rig.settings(folder, QUICK, Puppet.SLEEPS))) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet _ = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
        ProcessHandle worker = ProcessHandle.of(rig.pid(id)).orElseThrow();
        long since = System.nanoTime();
        down.set(true);
        worker.onExit().get(60, TimeUnit.SECONDS);
        double seconds = (System.nanoTime() - since) / 1e9;
        assertTrue(seconds < 12, () -> "it trained on for " + seconds + " s");
        down.set(false);
      }
    }
  }

  /** Its server stands still, so that its worker trains on: that is not the job's fault. */
  @Test
  void aFolderThatAnEarlierWorkerStillHasIsNoDeathOfTheJob() {
    WorkerCommand busy = _ -> List.of("sh", "-c", "exit 75");
    try (Rig rig = new Rig(folder, QUICK, busy)) {
      JobSpecification once = Rig.tiny(10).with("/retries", 0);
      JobId id = rig.submit(once);
      Job job = rig.await(id, each -> each.attempts().size() >= 5, "many attempts");
      assertFalse(job.state().terminal(), job::toString);
      assertTrue(
          job.attempts().getFirst().reason().filter(Code.SERVER_LOST::equals).isPresent(),
          job::toString);
    }
  }

  @Test
  void whoFollowsAJobIsToldAtOnceThatItWasTaken() {
    try (Rig rig = new Rig(folder, QUICK, Puppet.SLEEPS)) {
      rig.supervisor.close();
      JobId id = rig.submit(Rig.tiny(10));
      EventHub hub = new EventHub();
      List<JobEvent> told = new ArrayList<>();
      try (EventHub.Subscription _ = hub.follow(id, told::addAll)) {
        Instant now = Instant.now();
        Claim claim = new Claim("s", Long.MAX_VALUE, Long.MAX_VALUE, now, now.plusSeconds(15));
        assertEquals(id, new Ledger(rig.store, hub).claim(claim).orElseThrow().id());
      }
      assertEquals(rig.events(id), told);
      assertEquals(1, told.size());
    }
  }
}
