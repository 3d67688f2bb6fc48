package dev.halfcell.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Backend;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.verify.GoldenVectors;
import dev.halfcell.verify.Verification;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.FashionMnist;
import dev.halfcell.zoo.trajectory.GoldenTrajectories;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** LeNet-5 goes the golden way on the emulated GPU: three minutes of it. */
@Tag("either")
@Tag("slow")
final class GpuTrajectoryTest {
  private static final Path GOLDEN =
      Path.of(
          System.getProperty("halfcell.root"),
          "zoo/src/test/resources/dev/halfcell/zoo/trajectory");

  private static Optional<DataSplit> firstImages(TensorSpec form) {
    return Optional.of(
        FashionMnist.open(Optional.of(GOLDEN.resolve("first-images").toString()), form));
  }

  @Test
  void allStepsGoTheGoldenWay() {
    GoldenTrajectories check = new GoldenTrajectories(GpuTrajectoryTest::firstImages);
    try (Backend backend = TestedGpu.open()) {
      List<Verification> rows =
          new GoldenVectors(List.of(check))
              .verify(GOLDEN.resolve("trajectory_lenet5.safetensors"), backend);
      rows.forEach(System.out::println);
      assertEquals(3, rows.size());
      for (Verification row : rows) {
        assertEquals(Verification.Status.PASSED, row.status(), row.toString());
      }
    }
  }
}
