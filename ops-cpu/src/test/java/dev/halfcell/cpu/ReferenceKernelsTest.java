package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.tensor.DType;
import dev.halfcell.testkit.OpCase;
import dev.halfcell.testkit.OpCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that lists what is left to the reference backend lists what is, and nothing else. */
final class ReferenceKernelsTest {
  private static final Path PAGE =
      Path.of(System.getProperty("halfcell.root", "."), "docs", "ops.md");

  @Test
  void thePageListsTheOpsThatAreLeftToTheReference() throws IOException {
    assertEquals(listed(), leftToTheReference());
  }

  /** The first column of the table: {@code | `Sum`, `Mean` | why |}. */
  private static Set<String> listed() throws IOException {
    Set<String> listed = new TreeSet<>();
    try (Stream<String> lines = Files.lines(PAGE)) {
      lines
          .dropWhile(line -> !line.startsWith("## Left to the reference backend"))
          .skip(1)
          .takeWhile(line -> !line.startsWith("## "))
          .filter(line -> line.startsWith("|"))
          .skip(2)
          .map(line -> line.split("\\|", -1)[1])
          .flatMap(cell -> Arrays.stream(cell.split(",", -1)))
          .map(name -> name.replace("`", "").strip())
          .forEach(listed::add);
    }
    return listed;
  }

  private static Set<String> leftToTheReference() {
    Set<String> left = new TreeSet<>();
    try (CpuBackend backend = CpuBackend.open(1)) {
      for (OpCase each : OpCases.all(1)) {
        for (DType dtype : each.dtypes()) {
          if (ChosenKernels.of(backend, each, dtype).stream()
              .anyMatch(kernel -> kernel.startsWith("reference"))) {
            left.add(each.op().getClass().getSimpleName());
          }
        }
      }
    }
    return left;
  }
}
