package dev.halfcell.zoo.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteCountTest {
  @ParameterizedTest
  @CsvSource({
    "1K, 1024",
    "3KiB, 3072",
    "512M, 536870912",
    "512MiB, 536870912",
    "6G, 6442450944",
    "6GiB, 6442450944",
    "2T, 2199023255552",
    "999999T, 1099510528264372224",
    "999999999999999KiB, 1023999999999998976"
  })
  void unitsArePowersOf1024(String text, long bytes) {
    assertEquals(OptionalLong.of(bytes), ByteCount.of(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "6",
        "G",
        "0G",
        "06G",
        "-1G",
        "6g",
        "6 G",
        "6GB",
        "6Gi",
        "1.5G",
        "1000000T",
        "6iB",
        "٣G"
      })
  void anythingElseIsNone(String text) {
    assertEquals(OptionalLong.empty(), ByteCount.of(text));
  }

  @Test
  void aSpecificationTakesThemAndBareNumbers() {
    assertEquals(Optional.of(6L << 30), limit("\"6G\""));
    assertEquals(Optional.of(6L << 30), limit("\"6GiB\""));
    assertEquals(Optional.of(6000L), limit("6000"));
    assertEquals(
        Optional.of(512L << 20),
        JobSpecification.of("lenet5")
            .with("/resources/memoryLimit", "512M")
            .resources()
            .memoryLimit());
  }

  @Test
  void aSpecificationRefusesOthersByTheirPointer() {
    ArgumentException refused = assertThrows(ArgumentException.class, () -> limit("\"6 gigs\""));
    String message = refused.problem().message();
    assertTrue(message.contains("/resources/memoryLimit") && message.contains("6G"), message);
    assertThrows(ArgumentException.class, () -> limit("\"6\""));
    assertThrows(ArgumentException.class, () -> limit("0"));
  }

  private static Optional<Long> limit(String value) {
    return JobSpecification.ofJson("{\"resources\": {\"memoryLimit\": " + value + "}}")
        .resources()
        .memoryLimit();
  }
}
