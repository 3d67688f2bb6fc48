package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.rest.job.EventKind;
import dev.halfcell.rest.job.JobId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who follows a job and takes nothing of what it is sent. */
@Timeout(60)
final class StillReaderTest {
  /** More than the system keeps for a connection. */
  private static final int EVENTS = 8_000;

  private static final String DATA = "{\"message\":\"" + "x".repeat(1_500) + "\"}";

  @TempDir private Path root;

  private TestServer impatient() {
    HttpServerSettings http = TestServer.http();
    HttpServerSettings.Deadlines usual = http.deadlines();
    return TestServer.start(
        root,
        http.with(
            new HttpServerSettings.Deadlines(
                usual.head(),
                Duration.ofMillis(500),
                usual.idle(),
                usual.heartbeat(),
                usual.look())),
        Tokens.none());
  }

  @Test
  void itsConnectionIsClosedThoughMuchWaitsToBeSent() throws Exception {
    try (TestServer server = impatient()) {
      JobId job = server.submit();
      for (int i = 0; i < EVENTS; i++) {
        var _ = server.store().add(job, EventKind.NOTICE, DATA);
      }
      try (SocketChannel reader = asks(server.port(), job)) {
        assertEquals("HTTP/1.1 200 OK", first(reader, 15));
        for (int tries = 0; tries < 200 && connections(server) > 1; tries++) {
          Thread.sleep(50);
        }
        assertEquals(1, connections(server), "beside the one that asks for this");
      }
    }
  }

  private static SocketChannel asks(int port, JobId job) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    String request =
        "GET /v1/jobs/%s/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
            .formatted(job);
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  private static String first(SocketChannel reader, int characters) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(characters);
    while (read.hasRemaining() && reader.read(read) >= 0) {
      // until so much has come
    }
    return new String(read.array(), 0, read.position(), StandardCharsets.US_ASCII);
  }

  private static int connections(TestServer server) {
    return server
        .client()
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("halfcell_http_connections "))
        .mapToInt(line -> (int) Double.parseDouble(line.split(" ")[1]))
        .findFirst()
        .orElseThrow();
  }
}
