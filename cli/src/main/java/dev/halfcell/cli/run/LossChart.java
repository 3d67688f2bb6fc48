package dev.halfcell.cli.run;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the loss over the steps as SVG. */
final class LossChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 450;

  private LossChart() {}

  /** Draws a curve of at least one point into a file; there is none afterwards where that fails. */
  static void write(String title, List<LossCurve.Point> points, Path file)
      throws UndrawableException {
    try (OutputStream to = Files.newOutputStream(file)) {
      ChartEncoder.saveChart(chart(title, points), to, "svg");
    } catch (IOException | RuntimeException | InternalError | LinkageError e) {
      // Where there is no font or font library, AWT throws any of these; which one depends on what
      // is missing.
      throw new UndrawableException(withoutFile(file, e));
    }
  }

  private static Throwable withoutFile(Path file, Throwable reason) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
    return reason;
  }

  private static XYChart chart(String title, List<LossCurve.Point> points) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle("step")
            .yAxisTitle("training loss")
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    double[] steps = points.stream().mapToDouble(LossCurve.Point::step).toArray();
    double[] losses = points.stream().mapToDouble(LossCurve.Point::loss).toArray();
    chart.addSeries("loss", steps, losses).setMarker(SeriesMarkers.NONE);
    return chart;
  }
}
