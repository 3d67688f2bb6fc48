package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
  private final List<Integer> compiled = new ArrayList<>();
  private final List<Integer> closed = new ArrayList<>();

  /** A plan that only tells that it was closed. */
  private record Closing(int rows, List<Integer> closed) implements Plan {
    @Override
    public List<Tensor> run(List<Tensor> inputs) {
      return inputs;
    }

    @Override
    public PlanReport report() {
      return new PlanReport(new PlanReport.Memory(0, 0, OptionalLong.empty(), 0, 0, 0), List.of());
    }

    @Override
    public void close() {
      closed.add(rows);
    }
  }

  private Plan compile(List<TensorSpec> signature) {
    compiled.add(signature.getFirst().dim(0));
    return new Closing(signature.getFirst().dim(0), closed);
  }

  @Test
  void thePlanThatWasNotUsedForLongestMakesRoom() {
    PlanCache plans = new PlanCache(this::compile);
    for (int rows = 1; rows <= PlanCache.MOST; rows++) {
      plans.of(List.of(TensorSpec.of(DType.FP32, rows)));
    }
    plans.of(List.of(TensorSpec.of(DType.FP32, 1)));
    assertEquals(List.of(), closed);
    plans.of(List.of(TensorSpec.of(DType.FP32, 1000)));
    assertEquals(List.of(2), closed, "1 was used after 2");
    assertEquals(PlanCache.MOST, plans.size());
    plans.of(List.of(TensorSpec.of(DType.FP32, 2)));
    assertEquals(PlanCache.MOST + 2, compiled.size());
    plans.close();
    assertEquals(compiled.size(), closed.size(), "every plan was closed");
  }
}
