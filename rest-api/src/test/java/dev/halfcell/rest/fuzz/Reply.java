package dev.halfcell.rest.fuzz;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a server answered.
 *
 * @param status 0 where it closed the connection or was silent instead
 * @param headers by their names in lower case
 * @param took until all of it was there; of a stream, until its first part was
 */
record Reply(int status, Map<String, List<String>> headers, byte[] body, Duration took) {
  static Reply none(Duration took) {
    return new Reply(0, Map.of(), new byte[0], took);
  }

  Optional<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
  }

  String mediaType() {
    return header("Content-Type").orElse("").split(";", 2)[0];
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  boolean succeeded() {
    return status >= 200 && status < 300;
  }

  @Override
  public String toString() {
    String text = text();
    return status + " " + headers + "\n" + text.substring(0, Math.min(text.length(), 2_000));
  }
}
