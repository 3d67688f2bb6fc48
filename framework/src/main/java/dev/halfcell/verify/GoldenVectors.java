package dev.halfcell.verify;

import dev.halfcell.backend.Backend;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.TensorScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Goes through the golden vector files of a folder.
 *
 * @param checks who computes what; of several that cover a file, the first does
 */
public record GoldenVectors(List<GoldenCheck> checks) {
  public GoldenVectors {
    checks = List.copyOf(checks);
  }

  /** Checks of single ops and of optimizers, which need nothing but their files. */
  public static List<GoldenCheck> standardChecks() {
    return List.of(new GoldenOps(), new GoldenOptimizers());
  }

  /**
   * The files of a folder, by name.
   *
   * @throws ArgumentException where there is none
   * @throws DataException where the folder cannot be read
   */
  public static List<Path> files(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> files =
          entries.filter(file -> file.toString().endsWith(GoldenFile.SUFFIX)).sorted().toList();
      if (files.isEmpty()) {
        throw new ArgumentException(problem(folder, "no such file"));
      }
      return files;
    } catch (NotDirectoryException | NoSuchFileException e) {
      throw new ArgumentException(problem(folder, "no folder"));
    } catch (IOException e) {
      throw new DataException(problem(folder, "no folder that can be read"), e);
    }
  }

  private static Problem problem(Path folder, String got) {
    return new Problem(
        "golden vectors",
        folder.toString(),
        "a folder with files that end in " + GoldenFile.SUFFIX,
        got,
        "Name the folder that holds them.");
  }

  /** The rows of one file. What the file makes go wrong is a row too. */
  public List<Verification> verify(Path path, Backend backend) {
    try (TensorScope scope = TensorScope.open()) {
      GoldenFile file = GoldenFile.read(path, scope);
      for (GoldenCheck check : checks) {
        if (check.covers(file)) {
          return check.check(file, backend);
        }
      }
      return List.of(Verification.notCovered(file, what(file)));
    } catch (HalfCellException e) {
      return List.of(
          Verification.failed(String.valueOf(path.getFileName()), e.problem().message()));
    }
  }

  private static String what(GoldenFile file) {
    return file.attributes().stream()
        .filter(name -> !name.equals("note"))
        .map(name -> name + "=" + file.required(name))
        .reduce((a, b) -> a + " " + b)
        .orElse("no attributes");
  }
}
