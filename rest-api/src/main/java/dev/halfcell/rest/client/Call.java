package dev.halfcell.rest.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request.
 *
 * @param method of HTTP
 * @param path and query, below the server's address
 * @param headers beside those that all requests have
 * @param body JSON to be sent
 * @param waits how long the server was asked to wait before it answers
 */
record Call(
    String method,
    String path,
    Map<String, String> headers,
    Optional<String> body,
    Duration waits) {
  static Call get(String path) {
    return new Call("GET", path, Map.of(), Optional.empty(), Duration.ZERO);
  }

  static Call delete(String path) {
    return new Call("DELETE", path, Map.of(), Optional.empty(), Duration.ZERO);
  }

  static Call post(String path, String body) {
    return new Call("POST", path, Map.of(), Optional.of(body), Duration.ZERO);
  }

  Call with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Call(method, path, more, body, waits);
  }

  Call waiting(Duration wait) {
    return new Call(method, path, headers, body, wait);
  }

  /** What errors call it; queries may be long. */
  @Override
  public String toString() {
    return method + " " + path.replaceAll("\\?.*", "");
  }
}
