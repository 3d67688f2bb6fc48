package dev.halfcell.rest.supervisor;

import static dev.halfcell.rest.supervisor.Beside.assertDetail;
import static dev.halfcell.rest.supervisor.Beside.assertDied;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.job.StatusReason.Code;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.WorkerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each way in which a worker may fail, beside a sound one: the job says what happened, the other
 * goes on, and the server takes the next.
 */
@Timeout(120)
@Tag("process")
final class WorkerFaultsTest {
  private static final int STOP = 19;

  /** Within this the sound worker has to begin too, on a machine that may stall. */
  private static final Duration START = Duration.ofSeconds(5);

  @TempDir private static Path shared;
  private static Beside beside;
  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    beside = new Beside(shared, Beside.QUICK);
  }

  @AfterAll
  static void end() throws IOException {
    beside.close();
  }

  private void signalled(String name, int number) throws Exception {
    Job job =
        beside.failed(
            (puppet, id) -> {
              Puppet.obey(beside.rig, id, "kill -" + name + " $$");
              puppet.close();
            });
    assertDied(job, "signal " + number);
    assertEquals(Optional.of(number), job.exit().orElseThrow().signal());
  }

  @Test
  void killed() throws Exception {
    signalled("KILL", 9);
  }

  @Test
  void segmentationFault() throws Exception {
    signalled("SEGV", 11);
  }

  @Test
  void aborted() throws Exception {
    signalled("ABRT", 6);
  }

  @Test
  void terminatedBySomebodyElse() throws Exception {
    signalled("TERM", 15);
  }

  @Test
  void busError() throws Exception {
    signalled("BUS", 7);
  }

  private void exits(int code) throws Exception {
    Job job =
        beside.failed(
            (puppet, id) -> {
              Puppet.obey(beside.rig, id, "exit " + code);
              puppet.close();
            });
    assertDied(job, "exit code " + code + " and said nothing");
    assertEquals(Optional.of(code), job.exit().orElseThrow().code());
  }

  @Test
  void exitCode() throws Exception {
    exits(3);
  }

  @Test
  void silentExit() throws Exception {
    exits(0);
  }

  /** Heartbeats stop: its process hangs, as SIGSTOP has it. */
  @Test
  void stoppedProcess() throws Exception {
    try (Beside own = new Beside(folder, Beside.QUICK.silence(Duration.ofSeconds(2)))) {
      Job job = own.failed((puppet, _) -> new Signals().toProcess(puppet.pid, STOP));
      assertDied(job, "nothing was heard of its worker for 2 s, and it was killed");
    }
  }

  /** A process that closes its connection and lives on. */
  @Test
  void closedConnection() throws Exception {
    Job job = beside.failed((puppet, _) -> puppet.close());
    assertDied(job, "closed its connection, did not end within 1 s, and was killed");
  }

  private void breaks(Beside.Fault fault, String how) throws Exception {
    Job job = beside.failed(fault);
    assertEquals(Code.TRAINING_FAILED, job.summary().statusReason().code());
    assertDetail(job, "protocol between worker and server");
    assertDetail(job, how);
  }

  @Test
  void garbage() throws Exception {
    breaks((puppet, _) -> puppet.send("\0\0\0\5nojso".getBytes(StandardCharsets.US_ASCII)), "");
  }

  @Test
  void oversizedFrame() throws Exception {
    breaks((puppet, _) -> puppet.send((byte) 127, (byte) -1, (byte) -1, (byte) -1), "2147483647");
  }

  @Test
  void cutFrame() throws Exception {
    Job job =
        beside.failed(
            (puppet, id) -> {
              puppet.send((byte) 0, (byte) 0, (byte) 1, (byte) 0, (byte) '{');
              Puppet.obey(beside.rig, id, "exit 9");
              puppet.close();
            });
    assertTrue(job.failure().orElseThrow().detail().length() > 10, job::toString);
  }

  @Test
  void stepsThatGoBack() throws Exception {
    breaks((puppet, _) -> puppet.wire.send(Puppet.at(2)), "steps went back from 3 to 2");
  }

  @Test
  void newsOfAnotherJob() throws Exception {
    breaks(
        (puppet, _) ->
            puppet.wire.send(new FromWorker.Hello(FromWorker.PROTOCOL, 1, "another", 1, "guessed")),
        "hello came a second time");
  }

  @Test
  void completedWithoutResults() throws Exception {
    Job job =
        beside.failed(
            (puppet, id) -> {
              puppet.wire.send(new FromWorker.Completed(10));
              Puppet.obey(beside.rig, id, "exit 0");
            });
    assertDetail(job, "the results are missing");
  }

  @Test
  void lingersAfterItsEnd() throws Exception {
    Job job = beside.failed((puppet, _) -> puppet.wire.send(new FromWorker.Completed(10)));
    assertDetail(job, "the results are missing");
  }

  @Test
  void outOfMemoryByItsOwnWord() throws Exception {
    Job job =
        beside.failed(
            (puppet, id) -> {
              puppet.wire.send(
                  new FromWorker.Failed(
                      Code.OUT_OF_MEMORY,
                      "memory",
                      "too little memory: Java heap space",
                      Optional.empty(),
                      Optional.of(3L),
                      true,
                      true));
              Puppet.obey(beside.rig, id, "exit 0");
            });
    assertEquals(Code.OUT_OF_MEMORY, job.summary().statusReason().code());
    assertDetail(job, "Java heap space");
    assertTrue(job.failure().orElseThrow().oomKilled());
  }

  @Test
  void fullHeap() throws Exception {
    Job job =
        beside.failed(
            (puppet, id) -> {
              Puppet.obey(beside.rig, id, "exit " + WorkerProcess.FULL);
              puppet.close();
            });
    assertEquals(Code.OUT_OF_MEMORY, job.summary().statusReason().code());
    assertDetail(job, "its Java heap was full");
    assertEquals("memory", job.failure().orElseThrow().type());
    assertTrue(job.failure().orElseThrow().oomKilled());
  }

  @Test
  void wrongProtocolVersion() throws Exception {
    try (Beside own = new Beside(folder, Beside.QUICK.start(START))) {
      JobId id = own.submit();
      try (Puppet puppet = Puppet.of(own.rig, id)) {
        puppet.wire.send(
            new FromWorker.Hello(
                FromWorker.PROTOCOL + 1, puppet.pid, id.text(), 1, puppet.secret()));
        assertEquals(Optional.empty(), puppet.wire.toWorker());
        assertUnstarted(own.failed(id));
        assertEquals(1, own.rig.supervisor.figures().refusedConnections());
      }
    }
  }

  @Test
  void neverConnects() throws Exception {
    try (Beside own = new Beside(folder, Beside.QUICK.start(START))) {
      assertUnstarted(own.failed(own.submit()));
    }
  }

  private static void assertUnstarted(Job job) {
    assertEquals(Code.START_TIMEOUT, job.summary().statusReason().code());
    assertDetail(job, "did not train after 5 s");
  }

  @Test
  void secondConnection() throws Exception {
    JobId id = beside.submit();
    long refused = beside.rig.supervisor.figures().refusedConnections();
    try (Puppet first = Puppet.trains(beside.rig, id);
        Puppet second = Puppet.of(beside.rig, id).hello(beside.rig, id)) {
      assertEquals(Optional.empty(), second.wire.toWorker());
      assertEquals(refused + 1, beside.rig.supervisor.figures().refusedConnections());
      first.wire.send(Puppet.at(4));
      beside.rig.awaitStep(id, 4);
      beside.assertOthersGoOn();
      beside.rig.cancel(id);
      beside.rig.awaitEnd(id);
    }
  }

  @Test
  void slowStart() throws Exception {
    JobId id = beside.submit();
    try (Puppet puppet = Puppet.of(beside.rig, id)) {
      Rig.sleep(500);
      puppet.hello(beside.rig, id);
      assertTrue(puppet.wire.toWorker().isPresent());
      beside.assertOthersGoOn();
      puppet.wire.send(new FromWorker.Began(0));
      beside.rig.await(id, JobState.RUNNING);
      beside.rig.cancel(id);
      beside.rig.awaitEnd(id);
    }
  }

  @Test
  void hangsAtStop() throws Exception {
    JobId id = beside.submit();
    try (Puppet _ = Puppet.trains(beside.rig, id)) {
      beside.rig.await(id, JobState.RUNNING);
      Puppet.obey(beside.rig, id, "trap '' TERM; touch deaf; while true; do sleep 1; done");
      Path deaf = beside.rig.settings.folders().of(id).resolve("deaf");
      beside.rig.await(id, _ -> Files.exists(deaf), "a process that hears nothing");
      beside.rig.cancel(id);
      Job job = beside.rig.awaitEnd(id);
      assertEquals(JobState.CANCELLED, job.state());
      assertEquals(Optional.of(9), job.exit().orElseThrow().signal());
      assertEquals(0, Rig.processes(id));
      beside.assertOthersGoOn();
    }
  }

  @Test
  void childrenOfItLiveOn() throws Exception {
    Job job =
        beside.failed(
            (puppet, id) -> {
              Puppet.obey(beside.rig, id, "sleep 120 & exit 4");
              puppet.close();
            });
    assertDied(job, "exit code 4");
  }

  /** By the clock all leases are over at once, or will be in a day: workers that live are kept. */
  @Test
  void clockThatJumps() throws Exception {
    Timing often =
        new Timing(
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(15),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofMillis(20),
            Duration.ofMillis(50),
            Duration.ofSeconds(5));
    try (Beside own = new Beside(folder, often)) {
      JobId id = own.submit();
      try (Puppet puppet = Puppet.trains(own.rig, id)) {
        own.rig.await(id, JobState.RUNNING);
        for (long lease : new long[] {0, Long.MAX_VALUE}) {
          setLease(lease);
          Rig.sleep(400);
          own.assertOthersGoOn();
        }
        puppet.wire.send(Puppet.at(7));
        assertEquals(1, own.rig.awaitStep(id, 7).attempts().size());
      }
    }
  }

  private void setLease(long until) throws SQLException {
    try (Connection other =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("jobs.sqlite"));
        Statement statement = other.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 5000");
      statement.execute("UPDATE job SET lease_until = " + until + " WHERE lease_until IS NOT NULL");
    }
  }

  @Test
  void jobFolderCannotBeMade() throws Exception {
    JobId id = JobId.random(new SecureRandom());
    Path place = beside.rig.settings.folders().of(id);
    Files.createDirectories(place.getParent());
    Files.writeString(place, "no folder");
    beside.rig.submit(id, Beside.ONCE, Optional.empty(), Rig.ESTIMATE);
    Job job = beside.failed(id);
    assertEquals(Code.WORKERS_KEEP_DYING, job.summary().statusReason().code());
    assertDetail(job, "its worker could not be started: FileAlreadyExistsException");
    assertFalse(job.failure().orElseThrow().detail().contains(shared.toString()), job::toString);
  }
}
