package dev.halfcell.zoo.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The options that Java is started with wherever HalfCell starts it, kept in the one file {@code
 * java.options}, which Java reads too ({@code java @java.options}).
 */
public final class JavaOptions {
  private static final String FILE = "java.options";

  private JavaOptions() {}

  /** All of them, in the order of the file. */
  public static List<String> fixed() {
    try (InputStream in = JavaOptions.class.getResourceAsStream(FILE)) {
      String text =
          new String(Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(String::strip)
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Those that this process was not started with. */
  public static List<String> missing() {
    List<String> given = ManagementFactory.getRuntimeMXBean().getInputArguments();
    return fixed().stream().filter(option -> !given.contains(option)).toList();
  }
}
