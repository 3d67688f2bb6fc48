package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.run.LossCurve;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LossChartTest {
  private static final List<LossCurve.Point> POINTS =
      List.of(new LossCurve.Point(1, 2.5), new LossCurve.Point(2, 1.5));

  @TempDir private Path folder;

  @Test
  void drawsSvg() throws Exception {
    Path file = folder.resolve("loss.svg");
    LossChart.write("lenet5 at O2", POINTS, file);
    assertTrue(Files.readString(file).contains("<svg"));
  }

  @Test
  void aDiskThatRefusesIsTold() {
    Path file = folder.resolve("gone/loss.svg");
    var refused =
        assertThrows(
            UndrawableException.class, () -> LossChart.write("lenet5 at O2", POINTS, file));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("NoSuchFileException"), refused.getMessage());
  }
}
