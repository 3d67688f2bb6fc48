package dev.halfcell.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run of each level is killed; {@link KillMatrixTest} kills many. */
@Tag("process")
final class KillTest {
  @TempDir private Path folder;

  /** One of each level, and each optimizer. */
  static Stream<KilledRuns.Way> ways() {
    List<KilledRuns.Way> all = KilledRuns.Way.all();
    return Stream.of(all.get(0), all.get(4), all.get(8), all.get(9));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aRunThatWasKilledEndsInTheSameFiles(KilledRuns.Way way) throws Exception {
    KilledRuns runs = new KilledRuns(folder);
    KilledRuns.Pace pace = new KilledRuns.Pace(0, 300);
    String done = runs.kill(way, KilledRuns.When.TRAINING, pace, runs.whole(way), KilledRuns.SEED);
    System.out.println(done);
  }
}
