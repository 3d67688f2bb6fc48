package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.tracing.Tracing;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A server with a sound worker that is heard, and room for one that fails and for the next. */
final class Beside implements AutoCloseable {
  /** Short where a test would wait. */
  static final Timing QUICK =
      new Timing(
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(15),
          Duration.ofSeconds(3),
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofMillis(20),
          Duration.ofMillis(50),
          Duration.ofSeconds(5));

  /** One death is enough to be told of. */
  static final JobSpecification ONCE = Rig.tiny(100).with("/retries", 0);

  final Rig rig;
  private final JobId soundJob;
  private final Puppet sound;
  private final Thread beats = Thread.ofPlatform().daemon().unstarted(this::beat);
  private long told;

  Beside(Path folder, Timing timing) throws Exception {
    rig =
        new Rig(
            Rig.store(folder),
            new WorkerSettings(
                "here",
                3,
                1L << 40,
                WorkerSettings.MARGIN,
                folder,
                new JobFolders(folder.resolve("jobs")),
                Optional.empty(),
                Optional.empty(),
                Puppet.OBEYS,
                timing,
                Tracing.none()));
    try {
      soundJob = rig.submit(Rig.tiny(100));
      sound = Puppet.trains(rig, soundJob);
      rig.await(soundJob, JobState.RUNNING);
    } catch (Exception | Error e) {
      end(); // else its thread would be found by the tests that come after
      throw e;
    }
    beats.start();
  }

  private void end() {
    rig.close();
    rig.store.close();
  }

  private void beat() {
    try {
      while (!Thread.interrupted()) {
        sound.wire.send(new FromWorker.Beat(1));
        Thread.sleep(100);
      }
    } catch (IOException | InterruptedException _) {
      Thread.currentThread().interrupt(); // closed: it is not needed any more
    }
  }

  JobId submit() {
    return rig.submit(ONCE);
  }

  /** What is done to a worker that trains. */
  @FunctionalInterface
  interface Fault {
    void of(Puppet puppet, JobId id) throws Exception;
  }

  /** A job whose worker fails at its third step, when it is over. */
  Job failed(Fault fault) throws Exception {
    JobId id = submit();
    try (Puppet puppet = Puppet.trains(rig, id)) {
      puppet.wire.send(Puppet.at(3));
      rig.awaitStep(id, 3);
      fault.of(puppet, id);
      return failed(id);
    }
  }

  /** When it has failed, has left nothing behind and done no other harm. */
  Job failed(JobId id) throws Exception {
    Job job = rig.awaitEnd(id);
    assertEquals(JobState.FAILED, job.state());
    assertEquals(1, job.attempts().size());
    assertEquals(0, Rig.processes(id));
    assertOthersGoOn();
    return job;
  }

  /** The sound worker is heard, and another job can be begun and ended. */
  void assertOthersGoOn() throws Exception {
    told++;
    sound.wire.send(Puppet.at(told));
    rig.awaitStep(soundJob, told);
    JobId next = rig.submit(Rig.tiny(100));
    try (Puppet _ = Puppet.trains(rig, next)) {
      rig.await(next, JobState.RUNNING);
      rig.cancel(next);
      assertEquals(JobState.CANCELLED, rig.awaitEnd(next).state());
    }
  }

  /** It was given up after its worker's death. */
  static void assertDied(Job job, String how) {
    assertEquals(Code.WORKERS_KEEP_DYING, job.summary().statusReason().code());
    assertEquals(Optional.of(Code.WORKER_LOST), job.attempts().getFirst().reason());
    assertDetail(job, how);
  }

  /** What people are told, in both places. */
  static void assertDetail(Job job, String how) {
    String detail = job.failure().orElseThrow().detail();
    assertTrue(detail.contains(how), detail);
    assertEquals(detail, job.summary().statusReason().message());
  }

  @Override
  public void close() throws IOException {
    beats.interrupt();
    sound.close();
    end();
  }
}
