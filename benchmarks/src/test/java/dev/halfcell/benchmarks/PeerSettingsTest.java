package dev.halfcell.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class PeerSettingsTest {
  @Test
  void imagesAreTriedInBothLayoutsAndOthersInNone() {
    assertEquals(8, PeerSettings.libtorch(Precision.FP32, true).size());
    assertEquals(
        List.of(
            "",
            "threads=1",
            "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1",
            "threads=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1"),
        texts(PeerSettings.libtorch(Precision.FP32, false)));
  }

  @Test
  void halvesAreTriedAsShipped() {
    assertEquals(
        List.of("layout=nchw", "layout=nchw threads=1", "layout=nhwc", "layout=nhwc threads=1"),
        texts(PeerSettings.libtorch(Precision.BF16, true)));
    assertEquals(List.of("layout=nhwc"), texts(PeerSettings.libtorch(Precision.FP16, true)));
  }

  @Test
  void whatIsSetIsTakenFromTheEnvironmentOfAllOthers() {
    assertTrue(
        Stream.of(PeerSettings.djl(2), PeerSettings.libtorch(Precision.FP32, true))
            .flatMap(List::stream)
            .flatMap(settings -> settings.environment().keySet().stream())
            .allMatch(PeerSettings.VARIABLES::contains));
  }

  private static List<String> texts(List<PeerSettings> settings) {
    return settings.stream().map(PeerSettings::toString).toList();
  }
}
