package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs that are killed by {@code kill -9}, resumed, and compared with one that was not: 12 of each
 * level and optimizer, 3 of them at any time of the process, 6 in their training, 3 in their
 * training and again in the process that resumes them.
 */
@Tag("slow")
final class KillMatrixTest {
  private static final int KILLS = 12;

  @TempDir private Path folder;

  static Stream<KilledRuns.Way> ways() {
    return KilledRuns.Way.all().stream();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void runsThatWereKilledEndInTheSameFiles(KilledRuns.Way way) throws Exception {
    KilledRuns runs = new KilledRuns(folder);
    KilledRuns.Result expected = runs.whole(way);
    KilledRuns.Pace pace = runs.pace(way, expected);
    List<String> report = new ArrayList<>(List.of(way + ": " + expected + " " + pace));
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        KilledRuns.When when =
            switch (kill % 4) {
              case 0 -> KilledRuns.When.PROCESS;
              case 1 -> KilledRuns.When.RESUMING_TOO;
              default -> KilledRuns.When.TRAINING;
            };
        report.add(runs.kill(way, when, pace, expected, KILLS * KilledRuns.SEED + kill));
      }
    } finally {
      report.forEach(System.out::println);
    }
  }

  /** Each number of threads has its own bits, and always these; loaders change nothing. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void fiveRunsEndInTheSameFilesWithAnyNumberOfLoaders(int threads) throws Exception {
    KilledRuns runs = new KilledRuns(folder);
    KilledRuns.Way way = KilledRuns.Way.all().get(8);
    String computing = "--threads=" + threads;
    KilledRuns.Result first = runs.whole(way, computing);
    System.out.println(threads + " threads: " + first);
    for (int time = 2; time <= 5; time++) {
      assertEquals(first, runs.whole(way, computing), "run " + time);
    }
    for (int loaders : new int[] {0, 1, 2, 4}) {
      assertEquals(first, runs.whole(way, computing, "--loader-workers=" + loaders));
    }
  }
}
