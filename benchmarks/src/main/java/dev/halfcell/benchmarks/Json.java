package dev.halfcell.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * How records of this package are written as JSON: under the names that they have, in snake case.
 */
final class Json {
  private Json() {}

  /** One line for each value. */
  static JsonMapper lines() {
    return builder().build();
  }

  /** For people to read. */
  static JsonMapper indented() {
    return builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  }

  /** Writes a value for people to read, over an older file, which is whole at any time. */
  static Path write(Path folder, String name, Object value) throws IOException {
    Path file = Files.createDirectories(folder).resolve(name);
    Path next = folder.resolve(name + ".tmp");
    Files.writeString(next, indented().writeValueAsString(value) + "\n");
    return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * The value in a file.
   *
   * @throws MeasurementException where there is another in it, or none
   */
  static <T> T read(Path file, Class<T> type) throws IOException {
    try {
      return lines().readValue(Files.readString(file), type);
    } catch (JacksonException e) {
      throw new MeasurementException(
          file + " is not what was written here, or was cut off: " + e.getOriginalMessage());
    }
  }

  private static JsonMapper.Builder builder() {
    return JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
  }
}
