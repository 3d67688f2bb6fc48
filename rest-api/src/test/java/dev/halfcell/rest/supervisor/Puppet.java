package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.job.Job;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobProgress;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.ToWorker;
import dev.halfcell.rest.worker.Wire;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A worker whose process only sleeps, and whose part a test speaks. */
final class Puppet implements AutoCloseable {
  /** Sleeps for longer than any test. */
  static final WorkerCommand SLEEPS = _ -> List.of("setsid", "sleep", "120");

  /** Waits until a test writes a script into its job's folder, and obeys it. */
  static final WorkerCommand OBEYS =
      _ -> List.of("setsid", "sh", "-c", "while ! [ -e fault ]; do sleep 0.02; done; . ./fault");

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final SocketChannel channel;
  final Wire wire;
  final long pid;

  private Puppet(SocketChannel channel, long pid) {
    this.channel = channel;
    this.wire = new Wire(channel);
    this.pid = pid;
  }

  static Path socket(Rig rig) {
    return rig.settings.directory().resolve("workers.sock");
  }

  /** Connects in the place of a job's worker, and says nothing yet. */
  static Puppet of(Rig rig, JobId id) throws IOException {
    Job started =
        rig.await(
            id,
            job -> !job.attempts().isEmpty() && job.attempts().getLast().pid().isPresent(),
            "a process");
    return new Puppet(
        SocketChannel.open(UnixDomainSocketAddress.of(socket(rig))),
        started.attempts().getLast().pid().orElseThrow());
  }

  /** Says who it is, as the process would. */
  Puppet hello(Rig rig, JobId id) throws IOException {
    wire.send(
        new FromWorker.Hello(
            FromWorker.PROTOCOL, pid, id.text(), rig.job(id).summary().attempt(), secret()));
    return this;
  }

  /**
   * What the process was handed. It becomes another program twice before it sleeps, and while the
   * system puts one in the place of the other, its environment reads as empty.
   */
  String secret() {
    Processes processes = Processes.ofThisMachine();
    Instant end = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(end)) {
      String secret = processes.environment(pid).get("HALFCELL_SECRET");
      if (secret != null) {
        return secret;
      }
      Rig.sleep(1);
    }
    throw new IllegalStateException("process " + pid + " was handed no secret");
  }

  /** The same, told to begin and having begun. */
  static Puppet trains(Rig rig, JobId id) throws Exception {
    Puppet puppet = of(rig, id).hello(rig, id);
    if (!(puppet.wire.toWorker().orElseThrow() instanceof ToWorker.Begin)) {
      throw new IllegalStateException("begin was due");
    }
    puppet.wire.send(new FromWorker.Began(0));
    return puppet;
  }

  /** Has the process of an obeying worker do what a line of shell says. */
  static void obey(Rig rig, JobId id, String script) throws IOException {
    Path folder = rig.settings.folders().of(id);
    Path whole = Files.writeString(folder.resolve("written"), script + "\n");
    Files.move(whole, folder.resolve("fault"), StandardCopyOption.ATOMIC_MOVE);
  }

  void send(byte... bytes) throws IOException {
    channel.write(ByteBuffer.wrap(bytes));
  }

  static FromWorker.Told at(long step) {
    return new FromWorker.Told(
        Optional.of(
            new JobProgress(
                step, Optional.of(100L), 1, 1, step / 100.0, Optional.empty(), Instant.now())),
        Map.of("loss", 1.0),
        List.of());
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
