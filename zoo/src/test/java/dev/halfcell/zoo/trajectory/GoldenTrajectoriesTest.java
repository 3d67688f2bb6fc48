package dev.halfcell.zoo.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.verify.GoldenVectors;
import dev.halfcell.verify.Verification;
import dev.halfcell.verify.Verification.Status;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.data.FashionMnist;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoldenTrajectoriesTest {
  private static final int FEW = 2;
  private static final Path GOLDEN = resource("trajectory_lenet5.safetensors");

  @TempDir Path folder;

  private static Path resource(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(GoldenTrajectoriesTest.class.getResource(name)).toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The images that the golden steps see: the first 1,280 of the real training images. */
  private static Optional<DataSplit> firstImages(TensorSpec form) {
    return Optional.of(FashionMnist.open(Optional.of(resource("first-images").toString()), form));
  }

  private static List<Verification> verify(Path file, GoldenTrajectories check) {
    try (Backend backend = new ReferenceBackend()) {
      return new GoldenVectors(List.of(check)).verify(file, backend);
    }
  }

  private static List<Verification> verify(Path file) {
    return verify(file, new GoldenTrajectories(GoldenTrajectoriesTest::firstImages));
  }

  /** The golden file cut to its first steps, with losses times {@code factor}. */
  private Path few(double factor, Map<String, String> changed) {
    Path file = folder.resolve("trajectory_few.safetensors");
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors golden = SafeTensors.read(GOLDEN, scope);
      SequencedMap<String, Tensor> tensors = new LinkedHashMap<>(golden.tensors());
      tensors.put("losses", first(golden.tensor("losses"), factor, scope));
      tensors.put("grad_norms", first(golden.tensor("grad_norms"), 1, scope));
      Map<String, String> metadata = new LinkedHashMap<>(golden.metadata());
      metadata.put("steps", String.valueOf(FEW));
      metadata.putAll(changed);
      new SafeTensors(tensors, metadata).write(file);
    }
    return file;
  }

  private static Tensor first(Tensor values, double factor, TensorScope scope) {
    double[] few = Arrays.stream(values.toArray()).limit(FEW).map(v -> v * factor).toArray();
    return Tensor.of(scope, TensorSpec.of(DType.FP32, FEW), few);
  }

  private static List<Status> statuses(List<Verification> rows) {
    return rows.stream().map(Verification::status).toList();
  }

  @Test
  void theFirstStepsGoTheGoldenWayAtEachLevel() {
    List<Verification> rows = verify(few(1, Map.of()));
    assertEquals(
        List.of("O0", "O2 fp16", "O2 bf16"), rows.stream().map(Verification::variant).toList());
    for (Verification row : rows) {
      assertEquals(Status.PASSED, row.status(), row.toString());
      assertTrue(row.worstError() <= row.tolerance(), row.toString());
    }
    // Half rounds: a row that went as near as FP32 would not have run in half.
    assertTrue(rows.get(0).worstError() < 1e-6, rows.toString());
    assertTrue(rows.get(1).worstError() > 1e-6, rows.toString());
    assertTrue(rows.get(2).worstError() > 1e-4, rows.toString());
  }

  @Tag("slow")
  @Test
  void allStepsGoTheGoldenWayOnTheReferenceBackend() {
    requireAllPassed(verify(GOLDEN));
  }

  @Test
  void allStepsGoTheGoldenWayOnTheCpu() {
    try (Backend backend = Backends.open("cpu")) {
      GoldenTrajectories check = new GoldenTrajectories(GoldenTrajectoriesTest::firstImages);
      requireAllPassed(new GoldenVectors(List.of(check)).verify(GOLDEN, backend));
    }
  }

  private static void requireAllPassed(List<Verification> rows) {
    assertEquals(3, rows.size());
    for (Verification row : rows) {
      assertEquals(Status.PASSED, row.status(), row.toString());
    }
  }

  @Test
  void lossesThatAreOffByMoreThanIsAllowedFail() {
    assertEquals(
        List.of(Status.FAILED, Status.PASSED, Status.PASSED),
        statuses(verify(few(1.0002, Map.of()))));
    assertEquals(
        List.of(Status.FAILED, Status.FAILED, Status.PASSED),
        statuses(verify(few(1.015, Map.of()))));
  }

  @ParameterizedTest
  @CsvSource({
    "net, resnet51",
    "net, resnet20",
    "data, 'cifar10 train images 0..'",
    "data, 'fashion-mnist train images 0..; channels 3'",
    "data, 'fashion-mnist train images 0..; zero-pad 28 to 32 after (x/255-0.2860)/0.3530 with pad value 0; channels 3'",
    "optimizer, 'Adam lr=0.01'"
  })
  void whatIsNotHereIsNotCovered(String attribute, String value) {
    assertEquals(List.of(Status.NOT_COVERED), statuses(verify(few(1, Map.of(attribute, value)))));
  }

  @ParameterizedTest
  @CsvSource({"steps, 3", "batch, 0", "optimizer, SGD lr=x momentum=0.9 l2=0", "batch, 2147483647"})
  void aFileThatContradictsItselfFails(String attribute, String value) {
    List<Verification> rows = verify(few(1, Map.of(attribute, value)));
    assertEquals(List.of(Status.FAILED), statuses(rows));
    assertTrue(rows.getFirst().detail().contains("expected"), rows.toString());
  }

  @Test
  void missingDataIsSaidInEachRowWithHowToGetIt() {
    List<Verification> rows = verify(GOLDEN, new GoldenTrajectories(_ -> Optional.empty()));
    assertEquals(
        List.of(Status.DATA_MISSING, Status.DATA_MISSING, Status.DATA_MISSING), statuses(rows));
    assertTrue(rows.getFirst().detail().contains("dataset-fashion-mnist"), rows.toString());
  }
}
