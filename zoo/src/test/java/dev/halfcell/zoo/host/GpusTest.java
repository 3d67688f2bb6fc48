package dev.halfcell.zoo.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GpusTest {
  @TempDir private Path driver;

  @Test
  void readsTheModelOfEachCard() throws IOException {
    card("0000:01:00.0", "Model: \t\t NVIDIA H100 PCIe\nIRQ: 1\n");
    card("0000:02:00.0", "IRQ: 2\n");
    assertEquals(List.of("NVIDIA H100 PCIe", "a card of unknown model"), Gpus.below(driver));
  }

  private void card(String address, String information) throws IOException {
    Path folder = Files.createDirectories(driver.resolve("gpus").resolve(address));
    Files.writeString(folder.resolve("information"), information);
  }

  @Test
  void findsNoneWithoutADriver() {
    assertEquals(List.of(), Gpus.below(driver.resolve("none")));
  }
}
