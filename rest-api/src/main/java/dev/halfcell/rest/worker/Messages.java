package dev.halfcell.rest.worker;

import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Messages as bytes, and back. Threads may share it. */
final class Messages {
  private static final String KIND = "kind";
  private static final String BODY = "body";
  private static final int DEEPEST = 16;

  private static final List<Class<? extends FromWorker>> FROM_WORKER =
      List.of(
          FromWorker.Hello.class,
          FromWorker.Beat.class,
          FromWorker.Began.class,
          FromWorker.Told.class,
          FromWorker.Predicted.class,
          FromWorker.Diagnosed.class,
          FromWorker.Completed.class,
          FromWorker.Stopped.class,
          FromWorker.Failed.class);
  private static final List<Class<? extends ToWorker>> TO_WORKER =
      List.of(
          ToWorker.Begin.class,
          ToWorker.Predict.class,
          ToWorker.Diagnose.class,
          ToWorker.Stop.class);

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private Messages() {}

  static byte[] encode(Message message) {
    ObjectNode frame = JSON.createObjectNode();
    frame.put(KIND, kind(message.getClass()));
    frame.set(BODY, JSON.valueToTree(message));
    return JSON.writeValueAsBytes(frame);
  }

  static FromWorker fromWorker(byte[] bytes) throws ProtocolException {
    return decode(bytes, FROM_WORKER);
  }

  static ToWorker toWorker(byte[] bytes) throws ProtocolException {
    return decode(bytes, TO_WORKER);
  }

  private static <T> T decode(byte[] bytes, List<Class<? extends T>> kinds)
      throws ProtocolException {
    try {
      JsonNode frame = JSON.readTree(bytes);
      String kind = frame.path(KIND).asString("");
      for (Class<? extends T> each : kinds) {
        if (kind(each).equals(kind) && frame.size() == 2 && frame.path(BODY).isObject()) {
          return JSON.treeToValue(frame.path(BODY), each);
        }
      }
    } catch (JacksonException e) {
      throw new ProtocolException("a message was due, got other bytes: " + said(e), e);
    }
    throw new ProtocolException(
        "a message was due, one of " + kinds.stream().map(Messages::kind).toList());
  }

  /** Without the bytes themselves, which may be anything. */
  private static String said(JacksonException e) {
    String text = String.valueOf(e.getOriginalMessage()).replaceAll("\\p{Cntrl}", " ");
    return text.substring(0, Math.min(text.length(), 200));
  }

  private static String kind(Class<?> type) {
    return type.getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Whether a text is one JSON object and nothing else. */
  static boolean isObject(String text) {
    try {
      return JSON.readTree(text).isObject();
    } catch (JacksonException e) {
      return false;
    }
  }
}
