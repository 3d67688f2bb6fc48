package dev.halfcell.rest.service;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** Reads the lines of a {@code metrics.jsonl} one by one, however many there are. */
final class StepRows {
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonParser in;
  private @Nullable String text;

  private StepRows(JsonParser in) {
    this.in = in;
  }

  /**
   * Tells of each line; of none where there is no file yet, and not of one that is half written.
   */
  static void read(Path file, Consumer<StepRow> told) {
    try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        JsonParser in = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      StepRows rows = new StepRows(in);
      while (in.nextToken() != null) {
        told.accept(rows.row());
      }
    } catch (NoSuchFileException | UnexpectedEndOfInputException _) {
      // What is not there yet will be.
    } catch (JacksonException e) {
      throw new IllegalStateException("metrics that cannot be read", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private StepRow row() {
    Map<String, Double> values = HashMap.newHashMap(16);
    boolean overflow = false;
    boolean applied = true;
    Optional<StepRow.Offender> offender = Optional.empty();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      JsonToken token = in.nextToken();
      switch (name) {
        case "overflow" -> overflow = token == JsonToken.VALUE_TRUE;
        case "applied" -> applied = token == JsonToken.VALUE_TRUE;
        case "first_offender" -> offender = Optional.of(offender());
        default -> number(token).ifPresent(value -> values.put(name, value));
      }
    }
    Double step = values.remove("step");
    Double epoch = values.remove("epoch");
    return new StepRow(
        Optional.ofNullable(step).map(Double::longValue),
        epoch == null ? 0 : epoch.intValue(),
        values,
        overflow,
        applied,
        offender);
  }

  private Optional<Double> number(JsonToken token) {
    return switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Optional.of(in.getDoubleValue());
      case VALUE_NULL -> Optional.of(Double.NaN);
      case VALUE_STRING -> {
        text = in.getString();
        yield Optional.empty();
      }
      default -> {
        in.skipChildren();
        yield Optional.empty();
      }
    };
  }

  private StepRow.Offender offender() {
    Map<String, String> texts = new HashMap<>();
    Map<String, Double> numbers = new HashMap<>();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      text = null;
      number(in.nextToken()).ifPresent(value -> numbers.put(name, value));
      if (text != null) {
        texts.put(name, text);
      }
    }
    return new StepRow.Offender(
        texts.getOrDefault("path", ""),
        texts.getOrDefault("op", ""),
        texts.getOrDefault("direction", ""),
        texts.getOrDefault("dtype", ""),
        texts.getOrDefault("kind", "inf"),
        numbers.getOrDefault("zeros", Double.NaN),
        numbers.getOrDefault("subnormals", Double.NaN));
  }
}
