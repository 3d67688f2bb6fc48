package dev.halfcell.rest.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request, and what must become of it.
 *
 * @param operation what it asks for; none where it asks for nothing that there is
 * @param how what was done to it, in words
 * @param expected the statuses that are right; any that is documented where empty
 * @param endless whether its answer goes on until somebody closes
 */
record Ask(
    Kind kind,
    Optional<Api.Operation> operation,
    String how,
    String method,
    String target,
    List<Header> headers,
    Optional<byte[]> body,
    Set<Integer> expected,
    boolean endless) {
  /** What a request is, and so which checks it is for. */
  enum Kind {
    /** As the document has it. */
    VALID,
    /** As the schemas have it, or not; what it means may make no sense. */
    PLAUSIBLE,
    /** Not as the document has it. */
    INVALID,
    /** With no token, or one that is not for this. */
    UNKNOWN_CALLER,
    /** Without a header that it needs. */
    MISSING_HEADER,
    /** With a method that is not there. */
    OTHER_METHOD,
    /** For what was made just now. */
    MADE,
    /** For what was deleted. */
    GONE
  }

  /** A header, as it is sent. */
  record Header(String name, String value) {}

  byte[] bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    headers.forEach(
        header -> head.append(header.name()).append(": ").append(header.value()).append("\r\n"));
    body.ifPresent(bytes -> head.append("Content-Length: ").append(bytes.length).append("\r\n"));
    all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    body.ifPresent(all::writeBytes);
    return all.toByteArray();
  }

  String path() {
    int question = target.indexOf('?');
    return question < 0 ? target : target.substring(0, question);
  }

  Ask expecting(Kind as, String why, Set<Integer> statuses) {
    return new Ask(as, operation, why, method, target, headers, body, statuses, endless);
  }

  Ask by(String other) {
    return new Ask(kind, operation, how, other, target, headers, body, expected, endless);
  }

  Ask at(String other) {
    return new Ask(kind, operation, how, method, other, headers, body, expected, endless);
  }

  Ask with(Optional<byte[]> other) {
    return new Ask(kind, operation, how, method, target, headers, other, expected, endless);
  }

  Ask with(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new Ask(kind, operation, how, method, target, more, body, expected, endless);
  }

  Ask without(String name) {
    List<Header> fewer =
        headers.stream().filter(header -> !header.name().equalsIgnoreCase(name)).toList();
    return new Ask(kind, operation, how, method, target, fewer, body, expected, endless);
  }

  Ask instead(String name, String value) {
    return without(name).with(name, value);
  }

  @Override
  public String toString() {
    String text = new String(bytes(), StandardCharsets.UTF_8);
    String shown = text.substring(0, Math.min(text.length(), 2_000));
    return kind + " (" + how + ", expects " + expected + ")\n" + shown;
  }
}
