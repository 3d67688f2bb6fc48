package dev.halfcell.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.testkit.OpCase;
import dev.halfcell.testkit.OpCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
          if (backend.offers(each.op(), each.specs(DType.FP32))
              && computable(each, dtype)
              && leftToTheReference(backend, each, dtype)) {
            left.add(each.op().getClass().getSimpleName());
          }
        }
      }
    }
    return left;
  }

  private static boolean computable(OpCase each, DType dtype) {
    return each.inferred(dtype).stream().noneMatch(out -> out.dtype() == DType.FP64);
  }

  private static boolean leftToTheReference(CpuBackend backend, OpCase each, DType dtype) {
    Variables none = new None();
    TracingExecutor tracing = new TracingExecutor(none);
    List<Tensor> in = each.specs(dtype).stream().map(tracing::input).toList();
    List<Tensor> out = tracing.execute(each.op(), in, OpCase.PATH);
    try (Plan plan =
        backend.compile(
            tracing.graph(Outcome.of(out)), none, PlanOptions.PLAIN, Collective.single())) {
      return plan.report().schedule().stream()
          .anyMatch(task -> task.kernel().startsWith("reference"));
    }
  }

  private record None() implements Variables {
    @Override
    public Tensor read(Variable variable) {
      throw new IllegalArgumentException(variable.toString());
    }

    @Override
    public long seed() {
      return 0;
    }
  }
}
