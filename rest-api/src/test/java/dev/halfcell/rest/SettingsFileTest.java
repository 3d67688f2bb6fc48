package dev.halfcell.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.rest.service.Quotas;
import dev.halfcell.rest.service.Retention;
import dev.halfcell.rest.tracing.Tracing;
import dev.halfcell.tensor.ArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a settings file says of how a server is operated. */
final class SettingsFileTest {
  @TempDir private Path folder;

  private Housekeeping read(String text, Optional<Double> days, Optional<Long> jobs)
      throws IOException {
    Path file = Files.writeString(folder.resolve("settings.yaml"), text);
    Housekeeping said = SettingsFile.read(file).housekeeping(days, jobs, folder, Tracing.none());
    said.accessLog().close();
    return said;
  }

  private Housekeeping read(String text) throws IOException {
    return read(text, Optional.empty(), Optional.empty());
  }

  @Test
  void whatItLeavesOutIsNotBounded() throws IOException {
    assertEquals(Retention.forEver(), read("").retention());
    assertEquals(Quotas.Limits.none(), read("queued: 5").quotas());
  }

  @Test
  void whatItSaysHoldsUnlessTheCommandLineSaysAnother() throws IOException {
    String text =
        """
        retainDays: 1.5
        retainJobs: 7
        stored: 10G
        ownerStored: 1M
        trainingFlops: 1e18
        accessLog: none
        """;
    assertEquals(
        new Retention(Optional.of(Duration.ofHours(36)), Optional.of(7L)), read(text).retention());
    assertEquals(
        new Quotas.Limits(Optional.of(10L << 30), Optional.of(1L << 20), Optional.of(1e18)),
        read(text).quotas());
    assertEquals(
        new Retention(Optional.of(Duration.ofDays(2)), Optional.of(3L)),
        read(text, Optional.of(2.0), Optional.of(3L)).retention());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "retainDays: 0",
        "retainDays: -1",
        "retainDays: .nan",
        "retainJobs: 0",
        "stored: much",
        "trainingFlops: -1",
        "accessLog: nowhere",
        "retainMonths: 1"
      })
  void whatMakesNoSenseIsRefused(String text) {
    ArgumentException refused = assertThrows(ArgumentException.class, () -> read(text));
    String key = text.substring(0, text.indexOf(':'));
    assertTrue(String.valueOf(refused.getMessage()).contains(key), refused.getMessage());
  }
}
