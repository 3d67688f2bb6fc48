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

  private DescriptionReading() {}

  static DescriptionChange change(JsonNode said) {
    List<FieldError> wrong = new ArrayList<>();
    Optional<String> name = text(said, "name").map(DescriptionReading::composed);
    name.ifPresent(text -> requirePlain("/name", text, false, wrong));
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

  private static void requirePlain(String at, String text, boolean lines, List<FieldError> wrong) {
    boolean control =
        text.codePoints()
            .anyMatch(c -> Character.isISOControl(c) && !(lines && (c == '\n' || c == '\t')));
    if (control) {
      wrong.add(FieldError.of(at, "no control characters may be in it"));
    }
  }
}
