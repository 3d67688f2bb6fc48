package dev.halfcell.rest;

import dev.halfcell.rest.http.AccessLog;
import dev.halfcell.rest.service.Admission;
import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.store.AcceptLimits;
import dev.halfcell.rest.tracing.Tracing;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.zoo.host.ByteCount;
import dev.halfcell.zoo.host.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
 * @param stored what the files of all jobs may hold, as {@code 100G}; as much as the disk
 * @param ownerStored what those of one owner may hold; as much as all
 * @param trainingFlops how many floating-point operations a training may take; any number
 * @param retainDays how long jobs that are over are kept; for ever
 * @param retainJobs how many of them are kept; all
 * @param accessLog where requests are logged: {@code file} in the data directory, {@code stderr} or
 *     {@code none}; a file
 * @param names what the server may be called in {@code Host}, beside its address
 * @param dataset where data is looked for, except by jobs on synthetic data: a folder, or {@code
 *     embedded}
 * @param storeUser who the database is opened as
 * @param storePassword theirs; the environment's {@code HALFCELL_STORE_PASSWORD} where it is not
 *     here
 */
record SettingsFile(
    Optional<String> memory,
    Optional<String> jobMemory,
    Optional<Long> queued,
    Optional<Long> live,
    Optional<String> stored,
    Optional<String> ownerStored,
    Optional<Double> trainingFlops,
    Optional<Double> retainDays,
    Optional<Long> retainJobs,
    Optional<String> accessLog,
    Optional<List<String>> names,
    Optional<String> dataset,
    Optional<String> storeUser,
    Optional<String> storePassword) {
  private static final long QUEUED = 10_000;
  private static final long LIVE = 1_000;
  private static final double DAY = Duration.ofDays(1).toMillis();
  private static final double LONGEST = 1_000_000;

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

  /**
   * How long jobs are kept, and what they may take.
   *
   * @param days of the command line, which goes first
   * @param jobs the same
   * @param data the server's own folder
   * @param tracing is told of each request
   */
  Housekeeping housekeeping(
      Optional<Double> days, Optional<Long> jobs, Path data, Tracing tracing) {
    return new Housekeeping(
        new Retention(
            days.or(() -> retainDays).map(SettingsFile::days),
            jobs.or(() -> retainJobs).map(most -> positive("retainJobs", most))),
        new Quotas.Limits(
            stored.map(text -> bytes("stored", text)),
            ownerStored.map(text -> bytes("ownerStored", text)),
            trainingFlops.map(most -> positive("trainingFlops", most))),
        accessLog(data, tracing));
  }

  private AccessLog accessLog(Path data, Tracing tracing) {
    return switch (accessLog.orElse("file")) {
      case "file" -> AccessLog.file(data.resolve("access.log"), tracing);
      case "stderr" -> AccessLog.standardError(tracing);
      case "none" -> AccessLog.none(tracing);
      default ->
          throw new ArgumentException(
              new Problem("accessLog", "", "file, stderr or none", accessLog.orElse(""), ""));
    };
  }

  private static Duration days(double days) {
    return Duration.ofMillis(Math.round(Math.min(positive("retainDays", days), LONGEST) * DAY));
  }

  private static <T extends Number> T positive(String key, T value) {
    if (!(value.doubleValue() > 0)) {
      throw new ArgumentException(new Problem(key, "", "a number above 0", value.toString(), ""));
    }
    return value;
  }

  /** What the server may be called. */
  Set<String> hosts() {
    return names.map(Set::copyOf).orElse(Set.of());
  }
}
