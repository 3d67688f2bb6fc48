package dev.halfcell.cli;

import dev.halfcell.disk.Disk;
import dev.halfcell.disk.WholeFile;
import dev.halfcell.zoo.run.LossCurve;
import dev.halfcell.zoo.run.Settings;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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

  /**
   * Draws the curve of a run into a file; where that fails there is none, and where no loss was
   * finite there is nothing to draw.
   */
  static void write(Settings settings, LossCurve curve, Path file) throws UndrawableException {
    if (!curve.points().isEmpty()) {
      write(settings.network() + " at " + settings.level(), curve.points(), file);
    }
  }

  static void write(String title, List<LossCurve.Point> points, Path file)
      throws UndrawableException {
    byte[] svg = svg(title, points);
    try {
      WholeFile.write(Disk.local(), file, to -> to.write(MemorySegment.ofArray(svg)));
    } catch (IOException e) {
      throw new UndrawableException(e);
    }
  }

  private static byte[] svg(String title, List<LossCurve.Point> points) throws UndrawableException {
    try (ByteArrayOutputStream to = new ByteArrayOutputStream()) {
      ChartEncoder.saveChart(chart(title, points), to, "svg");
      return to.toByteArray();
    } catch (IOException | RuntimeException | InternalError | LinkageError e) {
      // Where there is no font or font library, AWT throws any of these; which one depends on what
      // is missing.
      throw new UndrawableException(e);
    }
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
