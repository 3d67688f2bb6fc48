package dev.halfcell.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The golden vector files that come with the test kit: those of the ops, optimizers and networks
 * that there are. Computed by libtorch 2.10 in FP64 and stored in FP32.
 */
public final class GoldenFiles {
  private static final String FOLDER = "golden/";

  private GoldenFiles() {}

  /** The names of the files, without their ending. */
  public static List<String> names() {
    return new String(bytes("INDEX.txt"), StandardCharsets.UTF_8).lines().toList();
  }

  /** Writes a file into a folder. */
  public static Path copy(String name, Path folder) {
    String file = name + ".safetensors";
    try {
      return Files.write(folder.resolve(file), bytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String resource) {
    try (InputStream in = GoldenFiles.class.getResourceAsStream(FOLDER + resource)) {
      return Objects.requireNonNull(in, resource).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
