package dev.halfcell.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.Op;
import dev.halfcell.op.host.Host;
import dev.halfcell.op.normalization.BatchNorm;
import dev.halfcell.op.normalization.GroupwiseNormalization;
import dev.halfcell.op.normalization.Normalize;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What each op asks of a precision plan, as the design has decided; a gradient like its op. */
final class PrecisionClassTest {
  private static final String GOLDEN = "op-classes.txt";

  /**
   * The file says class, family and names: what is printed here from the records is held to it. A
   * new op, or another class of an old one, is a change of the file.
   */
  @Test
  void everyOpIsOfTheClassThatWasDecided() throws IOException {
    try (InputStream file = PrecisionClassTest.class.getResourceAsStream(GOLDEN)) {
      String decided = new String(Objects.requireNonNull(file, GOLDEN).readAllBytes(), UTF_8);
      assertEquals(decided, printed());
    }
  }

  private static String printed() {
    Map<String, SortedSet<String>> lines = new TreeMap<>();
    for (Class<?> type : SealedOps.records()) {
      String family = type.getPackageName().replace("dev.halfcell.op.", "");
      for (OpCase each : OpCases.of(type, Generator.seed())) {
        String asks = Host.class.isAssignableFrom(type) ? "ANY" : each.op().precision().name();
        lines.computeIfAbsent(asks + " " + family, _ -> new TreeSet<>()).add(type.getSimpleName());
      }
    }
    StringBuilder text = new StringBuilder();
    lines.forEach((line, ops) -> text.append(line + ": " + String.join(" ", ops) + "\n"));
    return text.toString();
  }

  @Test
  void onlyScaleShiftAndStatisticsAreNeverCast() {
    for (OpCase each : OpCases.all(Generator.seed())) {
      for (int input = 0; input < each.arguments().size(); input++) {
        assertEquals(
            !ofStatistics(each.op(), input),
            each.op().castable(input),
            each.op().label() + " input " + input);
      }
    }
  }

  /** Scale, shift and statistics of a normalisation are never cast. */
  private static boolean ofStatistics(Op op, int input) {
    return input > 0
        && (op instanceof BatchNorm
            || op instanceof Normalize
            || op instanceof GroupwiseNormalization);
  }
}
