package dev.halfcell.testkit;

import static dev.halfcell.verify.Verification.Status.FAILED;
import static dev.halfcell.verify.Verification.Status.NOT_COVERED;
import static dev.halfcell.verify.Verification.Status.PASSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.verify.GoldenVectors;
import dev.halfcell.verify.Verification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is wrong, or asks for what there is not, never counts as passed. */
final class GoldenVectorsTest {
  private static final GoldenVectors VECTORS = new GoldenVectors(GoldenVectors.standardChecks());

  @TempDir Path folder;

  private Verification verify(Path file) {
    List<Verification> rows = VECTORS.verify(file, new ReferenceBackend());
    assertEquals(1, rows.size());
    return rows.getFirst();
  }

  /** The file with one element of a tensor changed and attributes put over its own. */
  private Path changed(String name, String tensor, double by, Map<String, String> attributes) {
    Path file = GoldenFiles.copy(name, folder);
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors read = SafeTensors.read(file, scope);
      SequencedMap<String, Tensor> tensors = new LinkedHashMap<>(read.tensors());
      if (by == Double.POSITIVE_INFINITY) {
        tensors.remove(tensor);
      } else {
        Tensor of = read.tensor(tensor);
        long element = Math.min(1, of.spec().size() - 1);
        Elements.set(of.data(), of.dtype(), element, of.at(element) + by);
      }
      Map<String, String> all = new HashMap<>(read.metadata());
      all.putAll(attributes);
      new SafeTensors(tensors, all).write(file);
    }
    return file;
  }

  @ParameterizedTest
  @CsvSource({
    "conv2d_0, out",
    "conv2d_5, grad.weight",
    "dense_1x7x5, grad.bias",
    "batchnorm_8x5, running_var_after",
    "batchnorm_8x5, eval_out",
    "maxpool_k3s2p1_9, grad.x",
    "optim_adamw, w6",
    "optim_sgd, w1"
  })
  void oneWrongElementFailsAndIsNamed(String name, String tensor) {
    assertEquals(PASSED, verify(changed(name, tensor, 0, Map.of())).status());
    Verification row = verify(changed(name, tensor, 0.01, Map.of()));
    assertEquals(FAILED, row.status());
    assertEquals(tensor + ", element 1", row.detail());
    assertEquals(0.01, row.worstError(), 1e-4);
    assertTrue(row.tolerance() < 0.01);
    assertEquals(FAILED, verify(changed(name, tensor, Double.NaN, Map.of())).status());
  }

  @ParameterizedTest
  @CsvSource({
    "relu, op, gelu",
    "relu, slope, 0.1",
    "cross_entropy, class_weights, 0.1",
    "cross_entropy, reduction, sum",
    "avgpool_k2s2p0_8, ceil_mode, true",
    "optim_momentum, note, lr=0.1 momentum=0.9 dampening=0.5",
    "optim_adamw, note, lr=0.1 betas=0.9/0.999 eps=1e-8 decoupled"
  })
  void whatThereIsNotIsNotCovered(String name, String attribute, String value) {
    Path file = changed(name, name.startsWith("optim") ? "w1" : "out", 0, Map.of(attribute, value));
    Verification row = verify(file);
    assertEquals(NOT_COVERED, row.status());
    assertTrue(Double.isNaN(row.worstError()));
  }

  @ParameterizedTest
  @CsvSource({
    "conv2d_0, stride, two, a number as attribute stride",
    "conv2d_0, padding, 0.5, a whole number as attribute padding",
    "conv2d_0, groups, 0, at least 1",
    "optim_adam, note, lr=0.01 betas=0.9 eps=1e-8 l2=0, a number as betas in the note"
  })
  void aSettingThatMakesNoSenseFails(String name, String attribute, String value, String says) {
    Path file = changed(name, name.startsWith("optim") ? "w1" : "out", 0, Map.of(attribute, value));
    Verification row = verify(file);
    assertEquals(FAILED, row.status());
    assertTrue(row.detail().contains(says), row.detail());
  }

  @ParameterizedTest
  @ValueSource(strings = {"in.weight", "grad_out"})
  void aMissingInputFails(String tensor) {
    Verification row = verify(changed("dense_1x7x5", tensor, Double.POSITIVE_INFINITY, Map.of()));
    assertEquals(FAILED, row.status());
    assertTrue(row.detail().contains("a tensor " + tensor), row.detail());
  }

  @Test
  void whatIsNoSuchFileFails() throws IOException {
    Path file = Files.writeString(folder.resolve("note.safetensors"), "not golden at all");
    assertEquals(FAILED, verify(file).status());
  }

  @Test
  void aFolderWithoutGoldenFilesIsRefused() {
    assertThrows(ArgumentException.class, () -> GoldenVectors.files(folder));
    assertThrows(ArgumentException.class, () -> GoldenVectors.files(folder.resolve("missing")));
    GoldenFiles.copy("relu", folder);
    assertEquals(List.of(folder.resolve("relu.safetensors")), GoldenVectors.files(folder));
  }
}
