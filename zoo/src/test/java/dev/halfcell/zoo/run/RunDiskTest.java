package dev.halfcell.zoo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.testkit.disk.CrashDisk;
import dev.halfcell.testkit.disk.Damage;
import dev.halfcell.testkit.disk.Mutants;
import dev.halfcell.testkit.disk.Trouble;
import dev.halfcell.zoo.run.DiskRuns.Left;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * At every operation of a run on its disk, from its first to its last, the disk refuses or the
 * power fails. Either way the run comes to the end that it would have come to.
 */
final class RunDiskTest {
  private static final List<Damage> DAMAGES = List.of(Damage.values());

  private final Path folder;
  private final DiskRuns runs;

  RunDiskTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.runs = DiskRuns.in(folder);
  }

  /** What the disk says, and whether once or from then on. */
  private static Trouble.Fails failure(long operation, boolean forEver) {
    String message = forEver ? "Input/output error" : "No space left on device";
    return new Trouble.Fails(operation, message, forEver);
  }

  @Test
  void aRefusalOfTheDiskEndsARunInOneErrorAndWhatIsThereGoesOn() {
    assertTrue(begunRunsFail(operation -> operation % 2 == 0) > 100);
  }

  @Test
  void aRefusalOfTheDiskEndsAResumedRunInOneErrorAndWhatIsThereGoesOn() {
    assertTrue(resumedRunsFail(operation -> operation % 2 == 0) > 50);
  }

  @Test
  void aPowerLossLosesNothingThatWasSaved() {
    List<Left> left = begun(disk -> disk, RunDiskTest::oneInTurn);
    assertTrue(left.size() > 100, left.size() + " operations");
    checkAll(left);
  }

  @Test
  void aPowerLossOfAResumedRunLosesNothingThatWasSaved() {
    List<Left> left = resumed(disk -> disk, RunDiskTest::oneInTurn);
    assertTrue(left.size() > 50, left.size() + " operations");
    checkAll(left);
  }

  /** A test of crashes that finds none of these finds nothing. */
  @ParameterizedTest
  @EnumSource
  void aWriterWithAMistakeIsCaught(Mutants mutant) {
    assertThrows(
        Broken.class,
        () -> {
          checkAll(begun(mutant::over, RunDiskTest::oneInTurn));
          checkAll(resumed(mutant::over, RunDiskTest::oneInTurn));
        });
  }

  @Test
  void allRefusalsAndAllDamagesAtAllOperations() {
    begunRunsFail(operation -> operation % 2 == 1);
    resumedRunsFail(operation -> operation % 2 == 1);
    checkAll(begun(disk -> disk, _ -> DAMAGES));
    checkAll(resumed(disk -> disk, _ -> DAMAGES));
  }

  private static List<Damage> oneInTurn(long operation) {
    return List.of(DAMAGES.get((int) (operation % DAMAGES.size())));
  }

  /** How many operations there were. */
  private long begunRunsFail(LongPredicate forEver) {
    CrashDisk whole = whole();
    long operation = 0;
    for (boolean fired = true; fired; ) {
      CrashDisk disk = new CrashDisk();
      Trouble.Fails trouble = failure(++operation, forEver.test(operation));
      disk.face(trouble);
      AtomicLong told = new AtomicLong();
      fired =
          refused(
              disk,
              trouble,
              () -> {
                runs.begin(disk, told);
                return List.of();
              });
      finish(disk, whole, told.get(), "refused at operation " + operation);
    }
    return operation;
  }

  private long resumedRunsFail(LongPredicate forEver) {
    CrashDisk whole = whole();
    CrashDisk stopped = stopped();
    long operation = 0;
    for (boolean fired = true; fired; ) {
      CrashDisk disk = stopped.afterPowerLoss(Damage.FORCED_ONLY, 1);
      Trouble.Fails trouble = failure(++operation, forEver.test(operation));
      disk.face(trouble);
      AtomicLong told = new AtomicLong(DiskRuns.STOPPED);
      fired = refused(disk, trouble, () -> runs.resume(disk, told));
      finish(disk, whole, told.get(), "refused at operation " + operation + " of a resumed run");
    }
    return operation;
  }

  /**
   * Whether the disk refused something of a life, which gives what was said at its beginning. Then
   * that is said, with the file or folder, by an error or, where an older checkpoint could be
   * taken, at the beginning.
   */
  private boolean refused(CrashDisk disk, Trouble.Fails trouble, Supplier<List<String>> life) {
    try {
      boolean said =
          life.get().stream()
              .anyMatch(line -> line.startsWith("damaged: ") && line.contains(trouble.message()));
      assertEquals(disk.fired(), said, "a refusal was swallowed");
      return said;
    } catch (DataException e) {
      assertTrue(disk.fired(), e::getMessage);
      assertTrue(e.problem().where().startsWith(folder.toString()), e::getMessage);
      assertTrue(e.problem().got().contains(trouble.message()), e::getMessage);
      return true;
    }
  }

  private CrashDisk whole() {
    CrashDisk disk = new CrashDisk();
    runs.begin(disk, new AtomicLong());
    return disk;
  }

  /** One that was stopped within an epoch, behind two checkpoints. */
  private CrashDisk stopped() {
    CrashDisk disk = new CrashDisk();
    runs.stop(disk);
    return disk;
  }

  private List<Left> begun(UnaryOperator<Disk> writer, LongFunction<List<Damage>> damages) {
    return runs.watched(
        new CrashDisk(), damages, (disk, told) -> runs.begin(writer.apply(disk), told));
  }

  private List<Left> resumed(UnaryOperator<Disk> writer, LongFunction<List<Damage>> damages) {
    CrashDisk stopped = stopped().afterPowerLoss(Damage.FORCED_ONLY, 1);
    return runs.watched(
        stopped,
        damages,
        (disk, told) -> {
          told.set(DiskRuns.STOPPED);
          var _ = runs.resume(writer.apply(disk), told);
        });
  }

  /** A promise that was not kept. */
  private static final class Broken extends AssertionError {
    private static final long serialVersionUID = 1;

    Broken(String when, Throwable why) {
      super(when, why);
    }
  }

  /** Disks that hold the same go on alike, so one of them is enough. */
  private void checkAll(List<Left> left) {
    CrashDisk whole = whole();
    Set<Map<Path, ByteBuffer>> seen = new HashSet<>();
    for (Left each : left) {
      Map<Path, ByteBuffer> contents = new TreeMap<>();
      each.disk().files().forEach((file, bytes) -> contents.put(file, ByteBuffer.wrap(bytes)));
      try {
        var _ = runs.checkPromises(each.disk(), whole, each.told());
        if (seen.add(contents)) {
          finish(each.disk(), whole, each.told(), each.when());
        }
      } catch (AssertionError | DataException e) {
        throw new Broken(each.when(), e);
      }
    }
  }

  /** On a disk that is well again. */
  private void finish(CrashDisk disk, CrashDisk whole, long told, String when) {
    disk.face(new Trouble.None());
    long newest = runs.checkPromises(disk, whole, told);
    String expected =
        newest > 0
            ? "goes on after step " + newest
            : "no checkpoint was saved: training begins anew";
    boolean begun = runs.begun(disk);
    List<String> said = assertDoesNotThrow(() -> runs.finish(disk), when);
    assertEquals(begun ? List.of(expected) : List.of(), said, when);
    Map<String, byte[]> wanted = runs.results(whole);
    Map<String, byte[]> got = runs.results(disk);
    assertEquals(wanted.keySet(), got.keySet(), when);
    wanted.forEach((name, bytes) -> assertArrayEquals(bytes, got.get(name), name + ", " + when));
  }
}
