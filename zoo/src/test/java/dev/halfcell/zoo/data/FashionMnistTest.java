package dev.halfcell.zoo.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.data.DataFingerprint;
import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FashionMnistTest {
  private static final ImageForm PADDED = new ImageForm(ImageForm.PADDED);

  @TempDir Path folder;

  private void fill(byte[] trainImages, byte[] trainLabels) throws IOException {
    Files.write(folder.resolve("train-images-idx3-ubyte.gz"), IdxBytes.gzip(trainImages));
    Files.write(folder.resolve("train-labels-idx1-ubyte"), trainLabels);
    Files.write(folder.resolve("t10k-images-idx3-ubyte.gz"), IdxBytes.gzip(IdxBytes.images(2)));
    Files.write(folder.resolve("t10k-labels-idx1-ubyte.gz"), IdxBytes.gzip(IdxBytes.labels(7, 9)));
  }

  private DataSplit open() {
    return FashionMnist.open(Optional.of(folder.toString()), PADDED, List.of());
  }

  private DataException failure() {
    return assertThrows(DataException.class, this::open);
  }

  @Test
  void readsAFolderOfPlainAndPackedFiles() throws IOException {
    fill(IdxBytes.images(3), IdxBytes.labels(0, 1, 2));
    DataSplit data = open();
    assertEquals("fashion-mnist (" + folder + ", 3 train / 2 test)", data.description());
    assertEquals(data.description(), data.train().name());
    assertEquals(3, data.train().size());
    assertEquals(2, data.test().size());
    assertEquals(10, data.train().classes());
  }

  @Test
  void everyPixelAndLabelIsInItsFingerprint() throws IOException {
    Set<String> seen = new HashSet<>();
    byte[] images = IdxBytes.images(3);
    for (int changed : new int[] {-1, 16, 16 + 784 + 400, images.length - 1}) {
      byte[] other = images.clone();
      if (changed >= 0) {
        other[changed] ^= 1;
      }
      fill(other, IdxBytes.labels(0, 1, 2));
      assertTrue(seen.add(DataFingerprint.of(open().train())), "pixel " + changed);
    }
    for (int[] labels : new int[][] {{1, 1, 2}, {0, 2, 2}, {0, 1, 3}}) {
      fill(images, IdxBytes.labels(labels));
      assertTrue(seen.add(DataFingerprint.of(open().train())), Arrays.toString(labels));
    }
    fill(images, IdxBytes.labels(0, 1, 2));
    assertFalse(seen.add(DataFingerprint.of(open().train())), "the same files");
    ImageForm form = new ImageForm(TensorSpec.of(DType.FP32, 3, 56, 56));
    DataSplit large = FashionMnist.open(Optional.of(folder.toString()), form, List.of());
    assertTrue(seen.add(DataFingerprint.of(large.train())), "another form");
  }

  @Test
  void normalisesThenPadsWithZeros() throws IOException {
    fill(IdxBytes.images(3), IdxBytes.labels(0, 1, 2));
    DataSet train = open().train();
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> batch =
          List.of(
              scope.allocate(TensorSpec.of(DType.FP32, 2, 1, 32, 32)),
              scope.allocate(TensorSpec.of(DType.INT64, 2)));
      batch.getFirst().data().fill((byte) 0x7F);
      train.read(2, batch, 1);
      assertEquals(2, batch.getLast().at(1));
      for (int y = 0; y < 32; y++) {
        for (int x = 0; x < 32; x++) {
          boolean inside = y >= 2 && y < 30 && x >= 2 && x < 30;
          int pixel = (2 + (y - 2) * 28 + x - 2) & 0xFF;
          double expected = inside ? (pixel / 255.0 - 0.2860) / 0.3530 : 0;
          assertEquals((float) expected, batch.getFirst().at(1024 + y * 32 + x), y + ", " + x);
        }
      }
    }
  }

  @Test
  void looksThroughTheUsualFoldersInOrder() throws IOException {
    fill(IdxBytes.images(3), IdxBytes.labels(0, 1, 2));
    Path none = folder.resolve("none");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertEquals(
        3,
        FashionMnist.open(Optional.empty(), PADDED, List.of(none, folder, empty)).train().size());
    String embedded = "fashion-mnist (embedded sample, 8,000 train / 2,000 test)";
    assertEquals(
        embedded, FashionMnist.open(Optional.empty(), PADDED, List.of(none)).description());
    assertEquals(
        embedded,
        FashionMnist.open(Optional.of("embedded"), PADDED, List.of(folder)).description());
    DataException broken =
        assertThrows(
            DataException.class,
            () -> FashionMnist.open(Optional.empty(), PADDED, List.of(empty, folder)));
    assertEquals(empty.toString(), broken.problem().where());
  }

  /** What it says is there to be read again, from wherever that is done. */
  @Test
  void saysWhereItWasFound() throws IOException {
    fill(IdxBytes.images(3), IdxBytes.labels(0, 1, 2));
    Optional<String> here = Optional.of(folder.toString());
    assertEquals(here, open().place());
    assertEquals(here, FashionMnist.open(Optional.empty(), PADDED, List.of(folder)).place());
    Path working = Path.of("").toAbsolutePath();
    String relative = working.relativize(folder.toAbsolutePath()).toString();
    String found =
        FashionMnist.open(Optional.of(relative), PADDED, List.of()).place().orElseThrow();
    assertTrue(Path.of(found).isAbsolute(), found);
    assertTrue(Files.isSameFile(folder, Path.of(found)), found);
    Optional<String> sample = Optional.of("embedded");
    assertEquals(sample, FashionMnist.open(sample, PADDED, List.of(folder)).place());
    assertEquals(sample, FashionMnist.open(Optional.empty(), PADDED, List.of()).place());
  }

  @Test
  void aChosenFolderHasToBeThere() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (Path wrong : List.of(folder.resolve("missing"), file)) {
      ArgumentException thrown =
          assertThrows(
              ArgumentException.class,
              () -> FashionMnist.open(Optional.of(wrong.toString()), PADDED, List.of(folder)));
      assertEquals(wrong.toString(), thrown.problem().where());
      assertTrue(thrown.problem().fix().contains("dataset-fashion-mnist"), thrown.getMessage());
    }
    assertThrows(
        ArgumentException.class,
        () -> FashionMnist.open(Optional.of("a\0b"), PADDED, List.of(folder)));
  }

  @Test
  void filesHaveToFitEachOther() throws IOException {
    fill(IdxBytes.images(3), IdxBytes.labels(0, 1));
    assertEquals("2 labels", failure().problem().got());
    fill(IdxBytes.images(3), IdxBytes.labels(0, 10, 2));
    assertEquals("10 as label 1", failure().problem().got());
    fill(IdxBytes.images(3), IdxBytes.labels(0, 255, 2));
    assertEquals("255 as label 1", failure().problem().got());
    fill(IdxBytes.of(0x803, new int[] {1, 2, 1}, new byte[2]), IdxBytes.labels(0));
    assertEquals("2 x 1", failure().problem().got());
    fill(IdxBytes.labels(0, 1, 2), IdxBytes.images(3));
    assertTrue(failure().problem().where().endsWith("train-images-idx3-ubyte.gz"));
    Files.delete(folder.resolve("train-labels-idx1-ubyte"));
    assertEquals("neither", failure().problem().got());
  }

  @Test
  void theEmbeddedSampleIsTheRealTestImages() {
    DataSplit data = FashionMnist.embedded();
    assertEquals(8_000, data.train().size());
    assertEquals(2_000, data.test().size());
    int[] classes = new int[10];
    CRC32 pixels = new CRC32();
    read(data.train(), classes, pixels);
    read(data.test(), classes, pixels);
    for (int count : classes) {
      assertEquals(1_000, count);
    }
    // Computed apart from this code, from the files of the Debian package.
    assertEquals(309494841L, pixels.getValue());
  }

  /** Counts the labels, and takes in the pixels as they were in the file. */
  private static void read(DataSet data, int[] classes, CRC32 pixels) {
    try (TensorScope scope = TensorScope.open()) {
      List<Tensor> batch =
          List.of(
              scope.allocate(TensorSpec.of(DType.FP32, 1, 1, 32, 32)),
              scope.allocate(TensorSpec.of(DType.INT64, 1)));
      for (int i = 0; i < data.size(); i++) {
        data.read(i, batch, 0);
        classes[(int) batch.getLast().at(0)]++;
        for (int y = 2; y < 30; y++) {
          for (int x = 2; x < 30; x++) {
            double value = batch.getFirst().at(y * 32 + x);
            pixels.update((int) Math.round((value * 0.3530 + 0.2860) * 255));
          }
        }
      }
    }
  }
}
