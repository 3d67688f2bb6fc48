package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.backend.Backend;
import dev.halfcell.verify.GoldenVectors;
import dev.halfcell.verify.Verification;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every backend computes what another framework computed: ops, their gradients, optimizers. */
public abstract class GoldenContract {
  private static final GoldenVectors VECTORS = new GoldenVectors(GoldenVectors.standardChecks());

  /** Opens the backend that is held to the contract. */
  protected abstract Backend open();

  @TestFactory
  final Stream<DynamicTest> everyGoldenFileIsComputedAgain(@TempDir Path folder) {
    return GoldenFiles.names().stream()
        .filter(name -> !name.startsWith("trajectory_")) // those need a network and its data
        .map(name -> dynamicTest(name, () -> check(GoldenFiles.copy(name, folder))));
  }

  private void check(Path file) {
    try (Backend backend = open()) {
      List<Verification> rows = VECTORS.verify(file, backend);
      assertEquals(1, rows.size());
      assertEquals(Verification.Status.PASSED, rows.getFirst().status(), rows.toString());
    }
  }
}
