package dev.halfcell.rest.supervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which kinds of faults are tried, and where: this list is looked at by people. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FaultTableTest {
  private static final int AT_LEAST = 25;

  private static final String TABLE =
      """
      worker killed by SIGKILL            | rest-api WorkerFaultsTest killed
      worker killed by SIGSEGV            | rest-api WorkerFaultsTest segmentationFault
      worker killed by SIGABRT            | rest-api WorkerFaultsTest aborted
      worker killed by SIGBUS             | rest-api WorkerFaultsTest busError
      worker sent SIGTERM by others       | rest-api WorkerFaultsTest terminatedBySomebodyElse
      worker that saves at such a SIGTERM | rest-api RealWorkerFaultsTest terminatedBySomebodyElse
      worker stopped, heartbeats lost     | rest-api WorkerFaultsTest stoppedProcess
      worker ends with an exit code       | rest-api WorkerFaultsTest exitCode
      worker ends with 0 and no word      | rest-api WorkerFaultsTest silentExit
      worker closes its connection        | rest-api WorkerFaultsTest closedConnection
      worker leaves children behind       | rest-api WorkerFaultsTest childrenOfItLiveOn
      worker lives on after its end       | rest-api WorkerFaultsTest lingersAfterItsEnd
      worker without its program          | rest-api PuppetTest aWorkerThatCannotBeStartedIsADeathLikeOthers
      worker without its classes          | rest-api RealWorkerFaultsTest workerWithoutItsClasses
      worker never connects               | rest-api WorkerFaultsTest neverConnects
      worker starts slowly                | rest-api WorkerFaultsTest slowStart
      worker connects a second time       | rest-api WorkerFaultsTest secondConnection
      worker of another protocol version  | rest-api WorkerFaultsTest wrongProtocolVersion
      worker sends garbage                | rest-api WorkerFaultsTest garbage
      worker sends an oversized frame     | rest-api WorkerFaultsTest oversizedFrame
      worker dies within a frame          | rest-api WorkerFaultsTest cutFrame
      worker tells of steps that go back  | rest-api WorkerFaultsTest stepsThatGoBack
      worker speaks for another job       | rest-api WorkerFaultsTest newsOfAnotherJob
      worker says completed, no results   | rest-api WorkerFaultsTest completedWithoutResults
      worker hangs when it is to stop     | rest-api WorkerFaultsTest hangsAtStop
      worker out of Java heap             | rest-api RealWorkerFaultsTest outOfJavaHeap
      worker that says its heap is full   | rest-api WorkerFaultsTest fullHeap
      worker over its memory              | rest-api RealWorkerFaultsTest overItsMemory
      stranger at the workers' socket     | rest-api StrangersTest strangersAreSentAwayAndHarmNoWorker
      newest checkpoint damaged           | rest-api RealWorkerFaultsTest newestCheckpointDamaged
      all checkpoints damaged             | rest-api SupervisorTest aJobWhoseCheckpointsAreAllDamagedFailsAndSaysSo
      folder of a waiting job gone        | rest-api SupervisorTest aJobWhoseFolderIsGoneFailsAndDoesNotBeginAnew
      artifact folder gone                | rest-api RealWorkerFaultsTest artifactFolderGone
      data set gone                       | rest-api RealWorkerFaultsTest dataSetGone
      job folder cannot be made           | rest-api WorkerFaultsTest jobFolderCannotBeMade
      clock jumps                         | rest-api WorkerFaultsTest clockThatJumps
      database locked by another process  | rest-api SqliteFaultsTest anotherProcessLocksIt
      database file taken away            | rest-api SqliteFaultsTest itIsTakenAway
      database file replaced              | rest-api SqliteFaultsTest anotherTakesItsPlace
      database damaged                    | rest-api SqliteDamageTest aFlippedBitIsNoticedWhereverItMatters
      database log cut                    | rest-api SqliteDamageTest aLogThatWasCutLosesNothingUnnoticed
      PostgreSQL restarted                | rest-api PostgresJobStoreTest whatPostgresLostComesBackWithIt
      PostgreSQL connections cut          | rest-api PostgresJobStoreTest connectionsThatAreCutAreMadeAnew
      PostgreSQL that does not sync       | rest-api PostgresJobStoreTest aServerThatDoesNotSyncIsRefused
      disk refuses to sync or write       | cli DurableAnswerTest whereTheDiskRefusesNoJobIsAccepted
      disk full                           | cli FullDiskTest aFullDiskLosesNothingAndNeedsNoRestart
      data folder read-only               | cli FullDiskTest aFolderThatCannotBeWrittenIsSaidAndNeedsNoRestart
      server and workers killed           | cli KilledServiceTest manyKillsLoseNothing
      killed at calls that make durable   | cli KilledAtCallTest theJobComesToItsEnd
      server killed while it drains       | cli ServerFaultsTest killedWhileItDrains
      server killed while it recovers     | cli ServerFaultsTest killedWhileItRecovers
      server stopped for a while          | cli ServerFaultsTest stoppedForAWhile
      worker stopped, then let go on      | cli ServerFaultsTest aWorkerIsStoppedForAWhile
      files used up by connections        | cli ServerSurroundingsTest whereConnectionsUseUpItsFiles
      clock set ahead and back            | cli ServerSurroundingsTest whereTheClockIsSet
      second server on a data folder      | cli StartRefusalTest aFolderThatAnotherServerHas
      """;

  /** A row of the table. */
  record Row(String kind, String module, String type, String method) {
    static Row of(String line) {
      String[] parts = line.split("[| ]+(?=rest-api |cli )|(?<=rest-api|cli) | (?=\\w+$)");
      return new Row(parts[0].strip(), parts[1], parts[2], parts[3]);
    }
  }

  Stream<Row> rows() {
    return TABLE.lines().map(Row::of);
  }

  @Test
  void thereAreManyKinds() {
    List<String> kinds = rows().map(Row::kind).distinct().toList();
    assertEquals(rows().count(), kinds.size());
    assertTrue(kinds.size() >= AT_LEAST, kinds::toString);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void eachHasItsTest(Row row) throws IOException {
    Path sources =
        Path.of(System.getProperty("halfcell.root"), row.module(), "src", "test", "java");
    try (Stream<Path> files = Files.walk(sources)) {
      Path file =
          files
              .filter(each -> each.endsWith(row.type() + ".java"))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no " + row.type()));
      Pattern method =
          Pattern.compile("@(Test|ParameterizedTest)\\b[^;{]*void " + row.method() + "\\(");
      String text = Files.readString(file).replaceAll("(?s)@(Csv|Value)Source\\(.*?}\\)", "");
      assertTrue(method.matcher(text).find(), row::toString);
    }
  }
}
