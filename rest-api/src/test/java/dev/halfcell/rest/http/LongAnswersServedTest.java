package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Answers that go out in pieces, on a connection that is used again. */
@Timeout(60)
final class LongAnswersServedTest {
  private record Answer(int announced, byte[] body) {}

  @Test
  void comeWholeWithTheirLengthAndOneBehindTheOther(@TempDir Path root) throws IOException {
    String requests =
        request("GET", "/openapi.json")
            + request("GET", "/openapi.yaml")
            + request("HEAD", "/openapi.yaml")
            + request("GET", "/openapi.json");
    try (TestServer server = TestServer.start(root);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
      InputStream in = new BufferedInputStream(socket.getInputStream());
      Answer json = answer(in, true);
      Answer yaml = answer(in, true);
      Answer head = answer(in, false);
      Answer again = answer(in, true);
      for (Answer each : List.of(json, yaml, head, again)) {
        assertTrue(each.announced() > LongAnswers.LONG, "of " + each.announced() + " bytes");
      }
      assertEquals(new JsonMapper().readTree(json.body()), new YAMLMapper().readTree(yaml.body()));
      assertEquals(yaml.announced(), head.announced());
      assertEquals(text(json), text(again));
    }
  }

  private static String request(String method, String path) {
    return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private static Answer answer(InputStream in, boolean withBody) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    assertTrue(head.toString().startsWith("HTTP/1.1 200 OK\r\n"), head.toString());
    int announced =
        head.toString()
            .lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length: "))
            .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(' ') + 1)))
            .sum();
    return new Answer(announced, in.readNBytes(withBody ? announced : 0));
  }

  private static String text(Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
