package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobAction;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.store.JobStore;
import dev.halfcell.rest.store.Transition;
import dev.halfcell.rest.worker.FromWorker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor whose store is slow or breaks, and jobs of which something cannot be read. */
@Timeout(120)
@Tag("process")
final class TroubledStoreTest {
  private static final Timing QUICK =
      Timing.usual().scan(Duration.ofMillis(200)).silence(Duration.ofMinutes(1));

  @TempDir private Path folder;

  /** What happens before a call reaches the store. */
  @FunctionalInterface
  private interface Trouble {
    void before(String call);
  }

  private static JobStore troubled(JobStore store, Trouble trouble) {
    return (JobStore)
        Proxy.newProxyInstance(
            JobStore.class.getClassLoader(),
            new Class<?>[] {JobStore.class},
            (_, method, arguments) -> {
              trouble.before(method.getName());
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Rig rig(Trouble trouble, WorkerCommand command) {
    return new Rig(troubled(Rig.store(folder), trouble), Rig.settings(folder, QUICK, command));
  }

  /** What it told last stands behind what its server is still writing when its process ends. */
  @Test
  void theLastWordsOfAWorkerAreHeardHoweverSlowTheStoreIs() throws Exception {
    AtomicBoolean slow = new AtomicBoolean();
    Trouble trouble =
        call -> {
          if (call.equals("report") && slow.get()) {
            Rig.sleep(3_000);
          }
        };
    try (Rig rig = rig(trouble, Puppet.OBEYS)) {
      JobId id = rig.submit(Rig.tiny(10).with("/retries", 0));
      try (Puppet puppet = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
        Path run = Files.createDirectories(rig.settings.folders().run(id));
        Files.write(run.resolve("model.safetensors"), new byte[8]);
        Files.writeString(run.resolve("summary.json"), "{}");
        slow.set(true);
        puppet.wire.send(Puppet.at(9));
        puppet.wire.send(new FromWorker.Completed(10));
        Puppet.obey(rig, id, "exit 0");
        Job job = rig.awaitEnd(id);
        assertEquals(JobState.SUCCEEDED, job.state(), job::toString);
      }
    }
  }

  /** As where memory is short for a moment. */
  @Test
  void anErrorDoesNotEndTheThreadThatDecides() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    Trouble trouble =
        call -> {
          if (call.equals("claim") && broken.compareAndSet(true, false)) {
            throw new OutOfMemoryError("as a test has it");
          }
        };
    try (Rig rig = rig(trouble, Puppet.SLEEPS)) {
      broken.set(true);
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet _ = Puppet.trains(rig, id)) {
        rig.await(id, JobState.RUNNING);
      }
    }
  }

  /** Its checkpoints are not where they should be, and others wait behind it. */
  @Test
  void aServerStartsWhereTheFolderOfAJobCannotBeRead() throws Exception {
    JobStore store = Rig.store(folder);
    WorkerSettings settings = Rig.settings(folder, QUICK, Puppet.SLEEPS);
    JobId id;
    JobId behind;
    try (Rig rig = new Rig(store, settings)) {
      rig.supervisor.close();
      id = rig.submit(Rig.tiny(10));
      behind = rig.submit(Rig.tiny(10));
      Lives.claimsAndDies(store, settings.server());
      Lives.claimsAndDies(store, settings.server());
      Path run = Files.createDirectories(settings.folders().run(id));
      Files.writeString(run.resolve("checkpoints"), "no folder");
    }
    try (Rig next = new Rig(store, settings)) {
      next.await(id, job -> job.attempts().size() == 2, "a second attempt");
      next.await(behind, job -> job.attempts().size() == 2, "a second attempt");
    }
  }

  /** A server died between two writes, and its clock was an hour ahead. */
  @Test
  void anInterruptedJobOfALaterClockIsQueuedAtOnce() throws Exception {
    try (Rig rig = new Rig(folder, QUICK, Puppet.SLEEPS)) {
      rig.supervisor.close();
      JobId id = rig.submit(Rig.tiny(10));
      Lives.claimsAndDies(rig.store, rig.settings.server());
      StatusReason later =
          new StatusReason(Code.SERVER_LOST, "lost", Instant.now().plus(Duration.ofHours(1)));
      Fence fence = new Fence(id, rig.settings.server(), 1);
      var _ = rig.store.apply(id, Transition.of(JobAction.LOSE, later, fence));
      assertEquals(JobState.INTERRUPTED, rig.job(id).state());
      try (Rig next = new Rig(rig.store, rig.settings)) {
        next.await(id, job -> job.attempts().size() == 2, "a second attempt");
      }
    }
  }
}
