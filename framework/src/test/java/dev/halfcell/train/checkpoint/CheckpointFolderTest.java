package dev.halfcell.train.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.DataPosition;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.nn.BatchNorm2d;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Conv2d;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.CellPath;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.ParameterStorage;
import dev.halfcell.train.Progress;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.Weights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointFolderTest {
  private static final Optimizer ADAM = new Adam(0.1);
  private static final Map<String, String> RUN = Map.of("level", "O2", "half", "fp16");
  private static final Variable WEIGHT =
      new Variable(Variable.Kind.PARAMETER, new CellPath("/0/weight"));

  @TempDir private Path path;

  private final TrainState state = TrainState.of(network(4), ADAM, 1);

  @AfterEach
  void close() {
    state.close();
  }

  private static Cell network(int channels) {
    return new Sequential(new Conv2d(1, channels, 3), new BatchNorm2d(channels));
  }

  private CheckpointFolder folder() {
    return new CheckpointFolder(Disk.local(), path, CheckpointFolder.KEEP);
  }

  private static CheckpointNotes notes(long step) {
    return new CheckpointNotes(
        new Progress(
            step, new DataPosition(3, 7), new EpochTotals(0.1 + 0.2, 5, 1L << 40, 2, 1e-9)),
        RUN,
        Map.of("cpu", "Xeon \"gold\" ü", "java", "25"),
        Map.of("metrics.bytes", "123"));
  }

  private Path save(long step) {
    mark((double) step);
    return folder().save(state, notes(step));
  }

  private void mark(double value) {
    Elements.set(state.read(WEIGHT).data(), DType.FP32, 0, value);
  }

  private DataException refused(TrainState other, Map<String, String> run) {
    return assertThrows(DataException.class, () -> folder().restore(other, run));
  }

  @Test
  void valuesAndNotesComeBackAndTheLastTwoAreKept() throws IOException {
    assertEquals(Optional.empty(), folder().restore(state, RUN));
    save(9);
    save(10);
    Path newest = save(200);
    Files.writeString(path.resolve(".step-000000000201.safetensors.7.partial"), "torn");
    mark(-1);
    CheckpointFolder.Restored restored = folder().restore(state, RUN).orElseThrow();
    assertEquals(new CheckpointFolder.Restored(newest, notes(200), List.of()), restored);
    assertEquals(200, state.read(WEIGHT).at(0));
    assertEquals(
        List.of(path.resolve("step-000000000010.safetensors"), newest), Disk.local().list(path));
  }

  /** Whatever digits the user's language has, names have those that are looked for. */
  @Test
  void namesAreTheSameInAllLanguages() {
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.of("fa", "IR"));
    try {
      Path saved = save(120);
      assertEquals(path.resolve("step-000000000120.safetensors"), saved);
      assertEquals(Optional.of(saved), folder().newest());
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void aDamagedOneIsNamedAndSetAsideAndTheOneBeforeItTaken() throws IOException {
    Path good = save(10);
    Path bad = save(20);
    flip(bad, Files.size(bad) - 1, 3);
    CheckpointFolder.Restored restored = folder().restore(state, RUN).orElseThrow();
    assertEquals(10, restored.notes().progress().step());
    assertEquals(10, state.read(WEIGHT).at(0));
    assertEquals(bad, restored.damaged().getFirst().file());
    String why = restored.damaged().getFirst().why();
    assertTrue(why.matches("expected checksum \\w{8} of \\w+:.*, got \\w{8}: it is damaged"), why);
    Path aside = path.resolve("step-000000000020.safetensors.damaged");
    assertEquals(List.of(good, aside), Disk.local().list(path));
    Path next = save(15);
    assertEquals(next, folder().restore(state, RUN).orElseThrow().file());
    assertEquals(List.of(good, next), Disk.local().list(path));
  }

  private static void flip(Path file, long at, int bit) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at] ^= (byte) (1 << bit);
    Files.write(file, bytes);
  }

  /** In 1,000 places, and in each of the header's length. */
  @Test
  void everySingleFlippedBitIsFound() throws IOException {
    Path file = save(1);
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      assertFound(file, whole, random.nextInt(whole.length), random.nextInt(8));
    }
    for (int bit = 0; bit < 64; bit++) {
      assertFound(file, whole, bit / 8, bit % 8);
    }
  }

  private void assertFound(Path file, byte[] whole, int at, int bit) throws IOException {
    byte[] damaged = whole.clone();
    damaged[at] ^= (byte) (1 << bit);
    Files.write(file, damaged);
    DataException e = refused(state, RUN);
    assertEquals("a usable checkpoint", e.problem().expected(), () -> "byte " + at + ": " + e);
  }

  @Test
  void everyTruncationIsFound() throws IOException {
    Path file = save(1);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length += length < 100 ? 1 : 7) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertEquals("a usable checkpoint", refused(state, RUN).problem().expected());
    }
  }

  @Test
  void anotherRunIsRefusedWithAllDifferencesAndChangesNothing() {
    save(1);
    Map<String, String> other = new HashMap<>(RUN);
    other.put("level", "O0");
    other.put("data", "mnist of 60000");
    try (TrainState five = TrainState.of(network(5), new Sgd(0.1), 2);
        TrainState before = TrainState.of(network(5), new Sgd(0.1), 2)) {
      DataException e = refused(five, other);
      List<String> here = List.of(e.problem().expected().split("; "));
      List<String> there = List.of(e.problem().got().split("; "));
      assertEquals(List.of("data mnist of 60000", "level O0", "seed 2"), here.subList(0, 3));
      assertEquals(List.of("no data", "level O2", "seed 1"), there.subList(0, 3));
      assertTrue(here.contains("parameter:/0/weight fp32[5, 1, 3, 3]"), here::toString);
      assertTrue(there.contains("parameter:/0/weight fp32[4, 1, 3, 3]"), there::toString);
      assertTrue(here.contains("no slot:/0/weight/first_moment"), here::toString);
      assertTrue(there.contains("slot:/0/weight/first_moment fp32[4, 1, 3, 3]"), there::toString);
      five.values().forEach((variable, value) -> assertTrue(before.read(variable).sameBits(value)));
    }
  }

  /** For another level or optimizer the weights are there, if not the run. */
  @Test
  void weightsOfACheckpointAreReadAtAnotherLevel() {
    Path file = save(2);
    ParameterStorage half = new ParameterStorage(DType.BF16, false);
    try (TrainState plain = TrainState.of(network(4), new Sgd(0.1), 2);
        TrainState stored = TrainState.of(network(4), 2, half)) {
      Weights.read(plain, file);
      assertTrue(plain.read(WEIGHT).sameBits(state.read(WEIGHT)));
      Weights.read(stored, file);
      assertEquals(2, stored.read(WEIGHT).at(0));
      assertEquals(DType.BF16.round(state.read(WEIGHT).at(1)), stored.read(WEIGHT).at(1));
    }
  }

  @Test
  void aNewerVersionIsNamedAndNotTakenForDamage() {
    Path file = save(3);
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors contents = SafeTensors.read(file, scope);
      Map<String, String> newer = new HashMap<>(contents.metadata());
      newer.put("format", "halfcell-checkpoint-2");
      new SafeTensors(contents.tensors(), newer).write(file);
      DataException e = refused(state, RUN);
      assertEquals("format halfcell-checkpoint-1 or older", e.problem().expected());
      assertEquals("format halfcell-checkpoint-2", e.problem().got());
      newer.put("format", "halfcell-weights-1");
      new SafeTensors(contents.tensors(), newer).write(file);
      assertEquals("format halfcell-weights-1", refused(state, RUN).problem().got());
      newer.put("format", "halfcell-checkpoint-1");
      newer.put("progress.epoch", "three");
      new SafeTensors(contents.tensors(), newer).write(file);
      assertEquals("a number as progress.epoch", refused(state, RUN).problem().expected());
    }
  }

  @Test
  void anotherEnvironmentIsToldWithBothValues() {
    Map<String, String> here = Map.of("cpu", "EPYC", "java", "25", "threads", "2");
    assertEquals(
        List.of("cpu was Xeon \"gold\" ü, is EPYC", "threads was none, is 2"),
        notes(1).environmentDiffers(here));
    assertEquals(List.of(), notes(1).environmentDiffers(notes(1).environment()));
  }

  @Test
  void keepingOneAloneIsRefused() {
    assertThrows(ArgumentException.class, () -> new CheckpointFolder(Disk.local(), path, 1));
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws IOException {
    Path file = Files.writeString(path.resolve("file"), "no folder");
    CheckpointFolder within = new CheckpointFolder(Disk.local(), file.resolve("x"), 2);
    DataException e = assertThrows(DataException.class, () -> within.save(state, notes(1)));
    assertEquals(file.resolve("x").toString(), e.problem().where());
  }

  /** Else the checkpoints of a run whose folder was moved away would begin another one there. */
  @Test
  void theFolderAroundIsNotMadeAnew() throws IOException {
    Path run = Files.createDirectory(path.resolve("run"));
    CheckpointFolder within = new CheckpointFolder(Disk.local(), run.resolve("checkpoints"), 2);
    within.save(state, notes(1));
    Files.move(run, path.resolve("away"));
    DataException e = assertThrows(DataException.class, () -> within.save(state, notes(2)));
    assertEquals(run.resolve("checkpoints").toString(), e.problem().where());
    assertTrue(e.problem().got().contains(run.toString()), e.problem()::got);
    assertFalse(Files.exists(run));
  }

  /** The state's own values are what it holds; nothing of them is a note. */
  @Test
  void allThatAStateHoldsIsInTheFile() {
    Path file = save(1);
    try (TensorScope scope = TensorScope.open()) {
      Map<String, Tensor> tensors = SafeTensors.read(file, scope).tensors();
      assertEquals(state.values().size(), tensors.size());
      assertTrue(tensors.containsKey("applied:(step)/applied"), tensors::toString);
    }
  }
}
