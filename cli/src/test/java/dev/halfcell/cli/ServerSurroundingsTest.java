package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.zoo.host.JavaOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The real server where the system gives it less than it wants, or another time. */
@Tag("slow")
@Timeout(300)
final class ServerSurroundingsTest {
  /** The least that the launcher lets it start with. */
  private static final int FILES = 256;

  @TempDir private Path folder;
  private String settings = "";
  private Path data = Path.of("");

  @BeforeEach
  void write() throws IOException {
    settings = TinyJobs.settings(folder);
    data = folder.resolve("service");
  }

  /** A job goes on that ran before, in the same attempt, and then another one comes to its end. */
  private static void assertWorks(Served server, String id) throws Exception {
    long step = TinyJobs.step(server.job(id));
    JsonNode job = server.await(id, now -> TinyJobs.step(now) > step);
    assertEquals("RUNNING", job.get("state").stringValue());
    assertEquals(1, job.get("attempts").size(), job::toString);
    server.post("/v1/jobs/" + id + "/cancel?wait=20", "").expect(200);
    String next = TinyJobs.submit(server, TinyJobs.SHORT, "next");
    JsonNode done = server.await(next, "SUCCEEDED", "FAILED", "DEAD");
    assertEquals("SUCCEEDED", done.get("state").stringValue(), done::toString);
    server.assertReads(List.of(id, next));
    assertEquals(0, server.end(), server::errors);
  }

  /**
   * As packed, for else each class is a file. Connections use up what the libraries leave: {@code
   * ulimit} sets what Java cannot raise.
   */
  @Test
  void whereConnectionsUseUpItsFiles() throws Exception {
    Path jar = Path.of(System.getProperty("halfcell.root"), "cli/target/halfcell-cli.jar");
    assumeTrue(Files.exists(jar), "This needs the program, which ./halfcell builds.");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -n " + FILES + " && exec \"$@\"", "sh"));
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(JavaOptions.ofServer());
    command.addAll(List.of("-jar", jar.toString(), "serve", "--port=0"));
    command.addAll(List.of("--data=" + data, settings));
    try (Served server = Served.begun(command, Map.of(), data).orElseThrow()) {
      String id = TinyJobs.running(server, 10);
      List<Socket> held = new ArrayList<>();
      try {
        int used = 0;
        for (int i = 0; i < 40; i++) { // 20 s, which is longer than a lease
          for (int more = 0; more < (i == 0 ? FILES : 8); more++) {
            held.add(connected(server.address()));
          }
          Thread.sleep(500);
          used += open(server) >= FILES - 1 ? 1 : 0;
        }
        assertTrue(used > 30, "of 40 times no file was left " + used + " times");
      } finally {
        for (Socket each : held) {
          each.close();
        }
      }
      assertWorks(server, id);
    }
  }

  /** The system takes connections that the server cannot take yet. */
  private static Socket connected(URI to) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(to.getHost(), to.getPort()), 10_000);
    return socket;
  }

  private static long open(Served server) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
      return files.count();
    }
  }

  /** Ahead, as where a lease would long be over, and back. */
  @ParameterizedTest
  @ValueSource(longs = {3600, -3600, -86_400})
  void whereTheClockIsSet(long seconds) throws Exception {
    try (ServerClock clock = ServerClock.in(folder);
        Served server = Served.start(List.of(), clock.environment(), data, settings)) {
      String id = TinyJobs.running(server, 10);
      clock.set(seconds);
      TimeUnit.SECONDS.sleep(15); // longer than a lease
      String made = TinyJobs.submit(server, TinyJobs.SHORT, "made");
      Instant at = Instant.parse(server.job(made).get("createdAt").stringValue());
      Duration off = Duration.between(Instant.now(), at).minusSeconds(seconds);
      assertTrue(off.abs().toSeconds() < 60, () -> "the clock was not set: " + off);
      server.post("/v1/jobs/" + made + "/cancel?wait=20", "").expect(200);
      assertWorks(server, id);
    }
  }
}
