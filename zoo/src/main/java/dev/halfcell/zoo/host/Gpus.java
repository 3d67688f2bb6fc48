package dev.halfcell.zoo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The NVIDIA graphics cards that the driver of this machine knows. */
public final class Gpus {
  private static final Path DRIVER = Path.of("/proc/driver/nvidia");
  private static final String MODEL = "Model:";

  private Gpus() {}

  /** Their model names; empty where there is no driver. */
  public static List<String> here() {
    return below(DRIVER);
  }

  /** Whether the NVIDIA driver is loaded. */
  public static boolean driverLoaded() {
    return Files.isDirectory(DRIVER);
  }

  static List<String> below(Path driver) {
    try (Stream<Path> cards = Files.list(driver.resolve("gpus"))) {
      return cards.sorted().map(Gpus::model).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String model(Path card) {
    try (Stream<String> lines = Files.lines(card.resolve("information"))) {
      return lines
          .filter(line -> line.startsWith(MODEL))
          .map(line -> line.substring(MODEL.length()).strip())
          .findFirst()
          .orElse("a card of unknown model");
    } catch (IOException e) {
      return "a card that does not describe itself";
    }
  }
}
