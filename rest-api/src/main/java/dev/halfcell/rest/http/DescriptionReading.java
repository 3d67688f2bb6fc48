package dev.halfcell.rest.http;

import dev.halfcell.rest.service.FieldError;
import dev.halfcell.rest.store.DescriptionChange;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads what is said anew of a job. It is shown to people: control characters have no place. */
final class DescriptionReading {
  private static final int LONGEST_KEY = 64;
  private static final int LONGEST_NAME = 128;

  private DescriptionReading() {}

  static DescriptionChange change(JsonNode said) {
    List<FieldError> wrong = new ArrayList<>();
    Optional<String> name = text(said, "name").map(DescriptionReading::composed);
    name.ifPresent(text -> requireName(text, wrong));
    Optional<String> notes = text(said, "notes");
    notes.ifPresent(text -> requirePlain("/notes", text, true, wrong));
    Optional<Map<String, String>> labels = labels(said, wrong);
    if (!wrong.isEmpty()) {
      throw Refusal.invalid(wrong);
    }
    return new DescriptionChange(
        name,
        labels,
        notes,
        Optional.ofNullable(said.get("priority")).map(JsonNode::intValue),
        Optional.ofNullable(said.get("pinned")).map(JsonNode::booleanValue));
  }

  private static Optional<String> text(JsonNode said, String name) {
    return Optional.ofNullable(said.get(name)).map(node -> node.isNull() ? "" : node.stringValue());
  }

  private static String composed(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC).strip();
  }

  private static Optional<Map<String, String>> labels(JsonNode said, List<FieldError> wrong) {
    JsonNode node = said.get("labels");
    if (node == null) {
      return Optional.empty();
    }
    Map<String, String> labels = new LinkedHashMap<>();
    node.properties()
        .forEach(
            label -> {
              String value = label.getValue().stringValue();
              requirePlain("/labels", label.getKey(), false, wrong);
              requirePlain("/labels", value, false, wrong);
              if (label.getKey().isBlank() || label.getKey().length() > LONGEST_KEY) {
                wrong.add(FieldError.of("/labels", "keys have 1 to 64 characters"));
              }
              labels.put(label.getKey(), value);
            });
    return Optional.of(labels);
  }

  /** What is short as it is written may be longer when it is composed. */
  private static void requireName(String name, List<FieldError> wrong) {
    requirePlain("/name", name, false, wrong);
    if (name.codePointCount(0, name.length()) > LONGEST_NAME) {
      wrong.add(FieldError.of("/name", "it has at most 128 characters when it is composed"));
    }
  }

  private static void requirePlain(String at, String text, boolean lines, List<FieldError> wrong) {
    boolean control =
        text.codePoints().anyMatch(c -> breaksLines(c) && !(lines && (c == '\n' || c == '\t')));
    if (control) {
      wrong.add(FieldError.of(at, "no control characters may be in it"));
    }
  }

  private static boolean breaksLines(int c) {
    int type = Character.getType(c);
    return Character.isISOControl(c)
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
