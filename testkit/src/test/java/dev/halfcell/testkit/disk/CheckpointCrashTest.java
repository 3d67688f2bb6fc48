package dev.halfcell.testkit.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.disk.Disk;
import dev.halfcell.tensor.DataException;
import dev.halfcell.testkit.disk.CheckpointHistory.Promise;
import dev.halfcell.train.checkpoint.CheckpointFolder.Restored;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation of saving and restoring checkpoints fails once, in every way. */
final class CheckpointCrashTest {
  private static final int SEEDS = 5;

  private final CheckpointHistory history = new CheckpointHistory();

  @AfterEach
  void close() {
    history.close();
  }

  /** A disk on which the power failed at an operation of saving; none where it came to its end. */
  private Optional<CrashDisk> savedUntil(long operation, UnaryOperator<Disk> writer) {
    CrashDisk disk = new CrashDisk();
    disk.face(new Trouble.PowerFails(operation));
    history.begin();
    try {
      history.saveAll(writer.apply(disk));
      assertFalse(disk.fired());
      assertEquals(CheckpointHistory.STEPS, history.promise().committed());
      return Optional.empty();
    } catch (PowerLoss e) {
      assertTrue(disk.fired());
      return Optional.of(disk);
    }
  }

  /** How often the power failed before a promise was broken. */
  private record Crashes(long count, Optional<Throwable> broken) {}

  private Crashes crashes(UnaryOperator<Disk> writer) {
    for (long operation = 1; ; operation++) {
      Optional<CrashDisk> off = savedUntil(operation, writer);
      if (off.isEmpty()) {
        return new Crashes(operation - 1, Optional.empty());
      }
      try {
        checkDamages(off.get(), history.promise());
      } catch (AssertionError | DataException e) {
        return new Crashes(operation, Optional.of(e));
      }
    }
  }

  private void checkDamages(CrashDisk off, Promise promise) {
    for (Damage damage : Damage.values()) {
      for (long seed = 0; seed < (damage.drawn() ? SEEDS : 1); seed++) {
        CrashDisk on = off.afterPowerLoss(damage, seed);
        history.check(on, promise);
        if (seed == 0) {
          history.checkNext(on);
        }
      }
    }
  }

  @Test
  void aPowerLossAtAnyOperationLosesNoCheckpointWhoseSavingReturned() {
    Crashes crashes = crashes(disk -> disk);
    assertEquals(Optional.empty(), crashes.broken());
    assertTrue(crashes.count() > 40, "operations: " + crashes.count());
  }

  @ParameterizedTest
  @EnumSource
  void aWriterWithAMistakeIsCaught(Mutants mutant) {
    assertTrue(crashes(mutant::over).broken().isPresent());
  }

  @ParameterizedTest
  @EnumSource
  void aPowerLossDuringRecoveryLosesNothingEither(Damage damage) {
    Optional<CrashDisk> off = savedUntil(1, disk -> disk);
    for (long operation = 2; off.isPresent(); operation++) {
      Promise promise = history.promise();
      boolean struck = true;
      for (long later = 1; struck; later++) {
        CrashDisk again = off.get().afterPowerLoss(damage, operation);
        again.face(new Trouble.PowerFails(later));
        struck = restoringFails(again);
        if (struck) {
          history.check(again.afterPowerLoss(Damage.SOME, later), promise);
        }
      }
      off = savedUntil(operation, disk -> disk);
    }
  }

  private boolean restoringFails(CrashDisk disk) {
    try {
      var _ = history.restore(disk);
      assertFalse(disk.fired());
      return false;
    } catch (PowerLoss e) {
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({"No space left on device, false", "Input/output error, true"})
  void anErrorOfTheDiskIsSaidAndLeavesEarlierCheckpoints(String message, boolean forEver) {
    boolean fired = true;
    for (long operation = 1; fired; operation++) {
      CrashDisk disk = new CrashDisk();
      disk.face(new Trouble.Fails(operation, message, forEver));
      history.begin();
      history.saveAll(disk);
      fired = disk.fired();
      assertEquals(fired, !history.errors().isEmpty());
      history.errors().forEach(each -> assertTrue(each.endsWith(message), each));
      checkDamages(disk, history.promise());
    }
  }

  /** Where the newest cannot be read, the one before it is taken and both are named. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorDuringRecoveryIsSaid(boolean forEver) {
    boolean fired = true;
    for (long operation = 1; fired; operation++) {
      history.begin();
      CrashDisk disk = new CrashDisk();
      history.saveAll(disk);
      disk.face(new Trouble.Fails(operation, "Input/output error", forEver));
      Optional<Restored> restored = Optional.empty();
      try {
        restored = history.restore(disk);
      } catch (DataException e) {
        assertTrue(e.problem().got().contains("Input/output error"), e.getMessage());
      }
      fired = disk.fired();
      if (restored.isPresent()) {
        long lost = history.promise().committed() - restored.get().notes().progress().step();
        assertEquals(fired ? 1 : 0, lost);
        assertEquals(lost, restored.get().damaged().size());
        assertTrue(restored.get().damaged().toString().contains(lost > 0 ? "Input/" : "[]"));
      } else {
        assertTrue(fired);
        disk.face(new Trouble.None());
        history.check(disk, history.promise());
      }
    }
  }

  @Test
  void allOfThemDamagedIsAnErrorEachTimeAndNeverANewStart() {
    CrashDisk disk = new CrashDisk();
    history.saveAll(disk);
    disk.files().keySet().forEach(file -> disk.put(file, new byte[100]));
    for (int time = 0; time < 2; time++) {
      DataException e = assertThrows(DataException.class, () -> history.restore(disk));
      assertEquals("a usable checkpoint", e.problem().expected());
      assertTrue(
          e.problem().got().contains("step-000000000003.safetensors: expected"), e::toString);
      assertTrue(
          e.problem().got().contains("step-000000000002.safetensors: expected"), e::toString);
    }
  }
}
