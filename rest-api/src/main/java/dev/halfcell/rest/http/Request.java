package dev.halfcell.rest.http;

import dev.halfcell.rest.job.Trace;
import dev.halfcell.rest.service.Caller;
import dev.halfcell.rest.store.NewJob;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.JsonNode;

/**
 * A request that has passed every check of the document.
 *
 * @param operation what is asked for
 * @param target path and query as they were sent
 * @param caller who asks
 * @param parameters those that were said, and the usual values of others, by name; those of headers
 *     and queries have different names
 * @param mediaType the form that the answer is to have
 * @param text the body; empty where there is none
 * @param body the same, read
 * @param trace by which it is followed
 * @param left is complete when whoever asked is gone before the answer
 */
record Request(
    Operation operation,
    String target,
    Caller caller,
    Map<String, JsonNode> parameters,
    String mediaType,
    String text,
    Optional<JsonNode> body,
    Trace trace,
    CompletionStage<Void> left) {
  Optional<String> textOf(String name) {
    return Optional.ofNullable(parameters.get(name)).map(JsonNode::asString);
  }

  /** One that the path has, and so is always there. */
  String path(String name) {
    return textOf(name).orElseThrow();
  }

  Optional<Long> number(String name) {
    return Optional.ofNullable(parameters.get(name)).map(JsonNode::longValue);
  }

  int count(String name) {
    return Math.toIntExact(number(name).orElseThrow());
  }

  boolean flag(String name) {
    return Optional.ofNullable(parameters.get(name)).map(JsonNode::booleanValue).orElse(false);
  }

  List<String> texts(String name) {
    return Optional.ofNullable(parameters.get(name)).stream()
        .flatMap(JsonNode::valueStream)
        .map(JsonNode::asString)
        .toList();
  }

  /** By what the request is known again, where its client wants that. */
  Optional<NewJob.Key> key() {
    return textOf("Idempotency-Key").map(key -> new NewJob.Key(key, hash()));
  }

  private String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((operation.id() + "\n" + target + "\n").getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
