package dev.halfcell.rest;

import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.host.ByteCount;
import dev.halfcell.zoo.host.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * What a settings file says, in YAML. What it leaves out is as usual.
 *
 * @param memory what all jobs of this machine may hold, as {@code 12G}; eight tenths of the
 *     machine's
 * @param jobMemory what one job may hold; as much as all
 * @param queued how many jobs may wait; 10,000
 * @param live how many jobs of an owner may be under way; 1,000
 * @param names what the server may be called in {@code Host}, beside its address
 * @param dataset where data is looked for: a folder, or {@code embedded}
 * @param storeUser who the database is opened as
 * @param storePassword theirs; the environment's {@code HALFCELL_STORE_PASSWORD} where it is not
 *     here
 */
record SettingsFile(
    Optional<String> memory,
    Optional<String> jobMemory,
    Optional<Long> queued,
    Optional<Long> live,
    Optional<List<String>> names,
    Optional<String> dataset,
    Optional<String> storeUser,
    Optional<String> storePassword) {
  private static final long QUEUED = 10_000;
  private static final long LIVE = 1_000;

  private static final YAMLMapper YAML =
      YAMLMapper.builder(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** What is usual. */
  static SettingsFile usual() {
    return YAML.readValue("{}", SettingsFile.class);
  }

  /**
   * Reads one.
   *
   * @throws DataException where it cannot be read
   * @throws ArgumentException where it says what nobody understands
   */
  static SettingsFile read(Path file) {
    try {
      String text = Files.readString(file);
      return text.isBlank() ? usual() : YAML.readValue(text, SettingsFile.class);
    } catch (JacksonException e) {
      throw new ArgumentException(
          new Problem(
              "--settings", file.toString(), "YAML with keys of docs/http.md", reason(e), ""));
    } catch (IOException e) {
      throw new DataException(
          new Problem("--settings", file.toString(), "a file", DataException.said(e), ""), e);
    }
  }

  /** Which key it is; what Java made of it says nothing to people. */
  private static String reason(JacksonException e) {
    return switch (e) {
      case UnrecognizedPropertyException unknown ->
          "the key '" + unknown.getPropertyName() + "', which there is not";
      case MismatchedInputException other when !other.getPath().isEmpty() ->
          "a value of another kind at '" + other.getPath().getLast().getPropertyName() + "'";
      default -> e.getOriginalMessage().lines().findFirst().orElse("another text");
    };
  }

  /** What jobs may hold. */
  Admission.Limits limits() {
    long machine = memory.map(text -> bytes("memory", text)).orElse(Memory.total() / 10 * 8);
    return new Admission.Limits(
        jobMemory.map(text -> bytes("jobMemory", text)).orElse(machine), machine);
  }

  private static long bytes(String key, String text) {
    return ByteCount.of(text)
        .orElseThrow(
            () ->
                new ArgumentException(
                    new Problem("--settings", key, ByteCount.EXPECTED, "'" + text + "'", "")));
  }

  /** How many may wait. */
  AcceptLimits queue() {
    return new AcceptLimits(queued.orElse(QUEUED), live.orElse(LIVE));
  }

  /** What the server may be called. */
  Set<String> hosts() {
    return names.map(Set::copyOf).orElse(Set.of());
  }
}
