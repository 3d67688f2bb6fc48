package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.DataPosition;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Sequential;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.train.EpochTotals;
import dev.halfcell.train.Progress;
import dev.halfcell.train.TrainState;
import dev.halfcell.train.Weights;
import dev.halfcell.train.checkpoint.CheckpointFolder;
import dev.halfcell.train.checkpoint.CheckpointNotes;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints and models that are damaged, of something else, or made to do harm. */
final class CheckpointFileRowsTest {
  private static final Map<String, String> RUN =
      Map.of("/precision/level", "O2", "/training/optimizer/name", "adam", "data", "abc");

  @TempDir private Path folder;

  private final TrainState state = state(4, 1);

  private static TrainState state(int hidden, long seed) {
    return TrainState.of(
        new Sequential(new Dense(3, hidden), new Dense(hidden, 2)), new Adam(0.1), seed);
  }

  @AfterEach
  void close() {
    state.close();
  }

  private CheckpointFolder checkpoints() {
    return new CheckpointFolder(Disk.local(), folder, 3);
  }

  private Path save(long step) {
    Progress at = new Progress(step, new DataPosition(0, 0), EpochTotals.none());
    return checkpoints().save(state, new CheckpointNotes(at, RUN, Map.of(), Map.of()));
  }

  private HalfCellException refused(byte[] file, String... parts) throws IOException {
    Path one = Files.write(folder.resolve("step-000000000001.safetensors"), file);
    HalfCellException e = Refusal.of(() -> checkpoints().restore(state, RUN), parts);
    Refusal.of(() -> Weights.read(state, one), one.toString());
    return e;
  }

  private static byte[] file(String header, int elementBytes) {
    return file(header.replace('\'', '"').getBytes(StandardCharsets.UTF_8), elementBytes);
  }

  private static byte[] file(byte[] header, int elementBytes) {
    return ByteBuffer.allocate(8 + header.length + elementBytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(header.length)
        .put(header)
        .array();
  }

  @Test
  @Row("F14")
  void lengthsThatLieAreRefusedBeforeAnythingIsAllocated() throws IOException {
    for (int length : new int[] {0, 7, 9}) {
      refused(new byte[length], "a header length of 8 bytes", length + " bytes");
    }
    byte[] right = file("{}", 0);
    for (long claim :
        new long[] {0, 1, 3, 1L << 31, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
      ByteBuffer.wrap(right).order(ByteOrder.LITTLE_ENDIAN).putLong(claim);
      refused(right, "a header of 2 to 2 bytes", Long.toUnsignedString(claim));
    }
  }

  @Test
  @Row("F15")
  void aHeaderThatIsNoJsonObjectOfTensorsIsRefused() throws IOException {
    refused(file("['a']", 0), "starts with {");
    refused(file("{'a'", 0), "a header in JSON");
    refused(file("{} {}", 0), "nothing behind");
    refused(file("{'a':" + "[".repeat(5000), 0), "an object for a");
    byte[] malformed = file("{'a?':1}", 0);
    malformed[11] = (byte) 0xC0;
    refused(malformed, "a header in UTF-8");
    String tensor = "'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]}";
    refused(file("{" + tensor + "," + tensor + "}", 8), "a header in JSON", "Duplicate");
    refused(file("{'__metadata__':{'a':'1','a':'2'}," + tensor + "}", 8), "Duplicate");
  }

  private static String tensor(String dtype, String shape, String offsets) {
    return "{'a':{'dtype':'%s','shape':%s,'data_offsets':%s}}".formatted(dtype, shape, offsets);
  }

  @Test
  @Row("F17")
  void aShapeThatDoesNotFillItsSpanIsRefused() throws IOException {
    refused(file(tensor("F32", "[3]", "[0,8]"), 8), "data_offsets of a that hold fp32[3]");
    refused(file(tensor("F16", "[2]", "[0,8]"), 8), "data_offsets of a that hold fp16[2]");
    refused(file(tensor("F32", "[2]", "[8,0]"), 8), "data_offsets of a from 0 to 8");
    refused(file(tensor("F32", "[2]", "[0,16]"), 8), "data_offsets of a from 0 to 8");
    // 2^64 + 4 bytes, which are 4 to one who does not look.
    for (String sizes : new String[] {"[65536,65536,65536]", "[2147483647,2147483647]"}) {
      refused(file(tensor("F32", sizes, "[0,8]"), 8), "at most 2147483647 elements");
    }
    for (String sizes : new String[] {"[-2]", "[0]", "[4294967298]"}) {
      refused(file(tensor("F32", sizes, "[0,8]"), 8), "sizes from 1 to 2147483647");
    }
    refused(file(tensor("F32", "[9223372036854775808]", "[0,8]"), 8), "whole numbers");
  }

  @Test
  @Row("F18")
  void unknownDtypesAndNewerVersionsAreNamed() throws IOException {
    refused(file(tensor("F8_E5M2", "[8]", "[0,8]"), 8), "F8_E5M2");
    Path saved = save(1);
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors contents = SafeTensors.read(saved, scope);
      Map<String, String> notes = new HashMap<>(contents.metadata());
      notes.put("format", "halfcell-checkpoint-7");
      new SafeTensors(contents.tensors(), notes).write(saved);
    }
    Refusal.of(
        () -> checkpoints().restore(state, RUN),
        "halfcell-checkpoint-1 or older",
        "halfcell-checkpoint-7");
  }

  /** The newest one has a flipped bit: the one before it is taken, and that is said. */
  @Test
  @Row("F19")
  void everyFlippedBitIsFoundAndTheCheckpointBeforeIsTaken() throws IOException {
    save(1);
    byte[] whole = Files.readAllBytes(save(2));
    SplittableRandom random = new SplittableRandom(19);
    for (int i = 0; i < 1000; i++) {
      byte[] flipped = whole.clone();
      flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(folder.resolve("step-000000000002.safetensors"), flipped);
      CheckpointFolder.Restored from = checkpoints().restore(state, RUN).orElseThrow();
      assertEquals(1, from.notes().progress().step());
      assertEquals(1, from.damaged().size(), "said");
    }
  }

  @Test
  @Row("F20")
  void everyTruncationIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(save(1));
    int header = 8 + (int) ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assertTrue(header < whole.length);
    for (int length = 0; length < whole.length; length++) {
      refused(Arrays.copyOf(whole, length), "a usable checkpoint");
    }
  }

  @Test
  @Row("F21")
  void theCheckpointOfAnotherNetworkIsRefusedWithAllDifferencesAndNothingIsRead() {
    save(1);
    try (TrainState other =
        TrainState.of(
            new Sequential(new Dense(3, 5), new Dense(5, 2), new Dense(2, 2)), new Adam(0.1), 1)) {
      Map<Variable, List<Double>> before = values(other);
      Refusal.of(
          () -> checkpoints().restore(other, RUN),
          "parameter:/0/weight fp32[5, 3]",
          "parameter:/0/weight fp32[4, 3]",
          "parameter:/0/bias fp32[5]",
          "parameter:/2/weight fp32[2, 2]",
          "no parameter:/2/weight",
          "slot:/2/bias/");
      assertEquals(before, values(other));
    }
  }

  private static Map<Variable, List<Double>> values(TrainState of) {
    Map<Variable, List<Double>> values = new HashMap<>();
    of.values().forEach((variable, value) -> values.put(variable, numbers(value)));
    return values;
  }

  private static List<Double> numbers(Tensor tensor) {
    List<Double> numbers = new ArrayList<>();
    for (int i = 0; i < tensor.spec().size(); i++) {
      numbers.add(tensor.at(i));
    }
    return numbers;
  }

  @Test
  @Row("F23")
  void aCheckpointOfAnotherRunIsRefusedWithBothValues() {
    save(1);
    Map<String, String> other = new TreeMap<>(RUN);
    other.put("/precision/level", "O0");
    other.put("/training/optimizer/name", "sgd");
    other.put("data", "def");
    try (TrainState plain =
        TrainState.of(new Sequential(new Dense(3, 4), new Dense(4, 2)), new Sgd(0.1), 2)) {
      Refusal.of(
          () -> checkpoints().restore(plain, other),
          "/precision/level O0",
          "/precision/level O2",
          "/training/optimizer/name sgd",
          "/training/optimizer/name adam",
          "data def",
          "data abc",
          "seed 2",
          "seed 1",
          "slot:/0/weight/");
    }
  }

  /**
   * Neither is opened by what could make objects of it; the rules of the architecture see to that.
   */
  @Test
  @Row("F25")
  void serializedObjectsAndPicklesAreRefusedByTheirBytes() throws IOException {
    ByteArrayOutputStream java = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(java)) {
      out.writeObject(new ArrayList<>(List.of("a", 1)));
    }
    byte[] pickle = "\u0080\u0004cos\nsystem\n(S'true'\ntR.".getBytes(StandardCharsets.ISO_8859_1);
    byte[] zip =
        "PK\u0003\u0004archive/data.pkl\u0080\u0002}q".getBytes(StandardCharsets.ISO_8859_1);
    IdxFolder data = IdxFolder.of(Files.createDirectory(folder.resolve("data")));
    for (byte[] file : List.of(java.toByteArray(), pickle, zip)) {
      refused(file, "a usable checkpoint", "in the header length");
      data.put(IdxFolder.IMAGES, file);
      Refusal.of(data::open, "no IDX file");
      Path specification = Files.write(folder.resolve("job.json"), file);
      Refusal.of(() -> JobSpecification.read(specification), "specification");
    }
  }

  @Test
  @Row("F26")
  void whereAllCheckpointsAreDamagedEachIsNamedAndNothingBeginsAnew() throws IOException {
    List<Path> files = List.of(save(1), save(2), save(3));
    byte[] whole = Files.readAllBytes(files.getFirst());
    Files.write(files.get(0), new byte[0]);
    Files.write(files.get(1), Arrays.copyOf(whole, whole.length - 1));
    whole[whole.length - 1] ^= 1;
    Files.write(files.get(2), whole);
    Map<Variable, List<Double>> before = values(state);
    for (int attempt = 0; attempt < 3; attempt++) {
      Refusal.of(
          () -> checkpoints().restore(state, RUN),
          "a usable checkpoint",
          "step-000000000001.safetensors: expected a header length",
          "step-000000000002.safetensors: expected",
          "step-000000000003.safetensors: expected checksum");
      assertEquals(files, Disk.local().list(folder));
    }
    assertEquals(before, values(state));
  }
}
