package dev.halfcell.cli;

import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that was started as users start it, without Java's module of vectors, plans whatever
 * they may submit.
 */
@Tag("process")
final class EveryNetworkIsPlannedTest {
  @TempDir private Path folder;

  @Test
  void aServerTakesEachNetworkOfTheZoo() throws Exception {
    Path data = TinyFashion.write(Files.createDirectory(folder.resolve("data")), 300, 70);
    Path settings =
        Files.writeString(folder.resolve("settings.yaml"), "dataset: %s\n".formatted(data));
    try (Served served = Served.start(folder.resolve("service"), "--settings=" + settings)) {
      for (NetworkDefinition network : Networks.all()) {
        String body =
            """
            {"network": {"name": "%s"}, "precision": {"level": "O2"}, "device": "cpu"}"""
                .formatted(network.name());
        served.post("/v1/jobs?dryRun=true", body).expect(200);
      }
    }
  }
}
