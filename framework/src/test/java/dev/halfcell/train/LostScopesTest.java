package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Forward;
import dev.halfcell.nn.Initializer;
import dev.halfcell.optim.ParameterGroup;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What cannot be made leaves no memory behind. */
class LostScopesTest {
  private static final class Reports extends Handler {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void publish(LogRecord report) {
      count.incrementAndGet();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void whatCannotBeMadeLeavesNoScopeOpen() throws InterruptedException {
    Reports reports = new Reports();
    Logger logger = Logger.getLogger(TensorScope.class.getName());
    logger.addHandler(reports);
    logger.setUseParentHandlers(false);
    try {
      fail();
      lose();
      for (int i = 0; i < 100 && reports.count.get() == 0; i++) {
        System.gc();
        Thread.sleep(100);
      }
      Thread.sleep(200); // reports of one collection come one after the other
      assertEquals(1, reports.count.get(), "lost scopes; one of them on purpose");
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(reports);
    }
  }

  /** So that the test knows when lost scopes are reported. */
  private static void lose() {
    assertEquals(4, TensorScope.open().allocate(4).byteSize());
  }

  private static void fail() {
    refused(() -> new BatchCursor(new Nothing(), new Sampler.InOrder(), 1));
    refused(() -> TrainState.of(new Flat(), 1));
    refused(
        () ->
            TrainState.of(
                new Dense(2, 2), new Sgd(0.1).groups(ParameterGroup.of("/none").frozen()), 1));
    refused(LostScopesTest::compileForAnotherState);
  }

  private static void compileForAnotherState() {
    try (TrainState state = TrainState.of(new Dense(2, 2), 1);
        TrainState other = TrainState.of(new Flat(new Initializer.Constant(1)), 1)) {
      TracingExecutor tracing = new TracingExecutor(state);
      Tensor weight = tracing.read(state.values().keySet().iterator().next());
      Graph graph = tracing.graph(Outcome.of(List.of(weight)));
      new ReferenceBackend().compile(graph, other, PlanOptions.PLAIN, Collective.single());
    }
  }

  private static void refused(Runnable use) {
    assertThrows(HalfCellException.class, use::run);
  }

  /** A parameter that has no fan-in. */
  private static final class Flat extends Cell {
    Flat() {
      this(new Initializer.HeNormal());
    }

    Flat(Initializer initializer) {
      parameter("flat", initializer, 3);
    }

    @Override
    protected Tensor construct(Forward f, Tensor... in) {
      return f.only(in);
    }
  }

  private static final class Nothing implements DataSet {
    @Override
    public String name() {
      return "nothing";
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public int classes() {
      return 1;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {}
  }
}
