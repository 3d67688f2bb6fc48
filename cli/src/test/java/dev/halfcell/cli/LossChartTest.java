package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.run.LossCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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

  /** Everything written to /dev/full meets a full disk. */
  @Test
  void aFullDiskIsToldAndLeavesNoHalfOfAChart() throws IOException {
    Path file = Files.createSymbolicLink(folder.resolve("loss.svg"), Path.of("/dev/full"));
    var full =
        assertThrows(
            UndrawableException.class, () -> LossChart.write("lenet5 at O2", POINTS, file));
    assertEquals("java.io.IOException: No space left on device", full.getMessage());
    assertFalse(Files.exists(file, LinkOption.NOFOLLOW_LINKS));
  }
}
