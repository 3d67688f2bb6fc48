package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.http.Row;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.JobState;
import dev.halfcell.rest.worker.FromWorker;
import dev.halfcell.rest.worker.ToWorker;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who connects where workers do and is none. */
@Timeout(300)
@Tag("process")
final class StrangersTest {
  private static final Timing USUAL = Timing.usual();

  @TempDir private Path folder;

  @Test
  @Row("P64")
  void strangersAreSentAwayAndHarmNoWorker() throws Exception {
    try (Rig rig = new Rig(folder, USUAL, Puppet.SLEEPS)) {
      JobId id = rig.submit(Rig.tiny(10));
      try (Puppet worker = Puppet.of(rig, id);
          Puppet guessing = Puppet.of(rig, id);
          Puppet hasty = Puppet.of(rig, id);
          SocketChannel noisy = SocketChannel.open(UnixDomainSocketAddress.of(Puppet.socket(rig)));
          Puppet second = Puppet.of(rig, id)) {
        guessing.wire.send(new FromWorker.Hello(1, 1, id.text(), 1, "guessed"));
        hasty.wire.send(new FromWorker.Began(0));
        noisy.write(ByteBuffer.allocate(10_000));
        assertEquals(-1, Math.min(0, readQuietly(noisy)));
        worker.hello(rig, id);
        assertTrue(worker.wire.toWorker().orElseThrow() instanceof ToWorker.Begin);
        second.hello(rig, id);
        while (rig.supervisor.figures().refusedConnections() < 4) {
          Rig.sleep(10);
        }
        worker.wire.send(new FromWorker.Began(0));
        rig.await(id, JobState.RUNNING);
      }
    }
  }

  @Test
  @Row("P64")
  void whoIsSilentIsSentAwayWhenAWorkerWouldBeLate() throws Exception {
    try (Rig rig = new Rig(folder, USUAL.start(Duration.ofMillis(300)), Puppet.SLEEPS)) {
      try (SocketChannel silent =
          SocketChannel.open(UnixDomainSocketAddress.of(Puppet.socket(rig)))) {
        Instant before = Instant.now();
        assertEquals(-1, readQuietly(silent));
        assertTrue(Duration.between(before, Instant.now()).compareTo(Duration.ofSeconds(9)) < 0);
      }
    }
  }

  @Test
  @Row("P64")
  void manyWhoAreSilentKeepNoWorkerOut() throws Exception {
    List<SocketChannel> silent = new ArrayList<>();
    try (Rig rig = new Rig(folder, USUAL, Puppet.SLEEPS)) {
      JobId id = rig.submit(Rig.tiny(10));
      for (int stranger = 0; stranger < 70; stranger++) {
        silent.add(SocketChannel.open(UnixDomainSocketAddress.of(Puppet.socket(rig))));
      }
      try (Puppet worker = Puppet.of(rig, id).hello(rig, id)) {
        assertTrue(worker.wire.toWorker().orElseThrow() instanceof ToWorker.Begin);
      }
      assertEquals(-1, readQuietly(silent.getFirst()));
    } finally {
      for (SocketChannel each : silent) {
        each.close();
      }
    }
  }

  /** The other side may close with bytes unread, which the system calls a reset. */
  private static int readQuietly(SocketChannel from) {
    try {
      return from.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      return -1;
    }
  }
}
