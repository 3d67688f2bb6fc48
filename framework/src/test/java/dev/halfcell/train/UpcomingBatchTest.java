package dev.halfcell.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.data.BatchCursor;
import dev.halfcell.data.DataSet;
import dev.halfcell.data.Sampler;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.SoftmaxCrossEntropyLoss;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backend that computes by itself, as a GPU does, is told the batch of the next step. */
final class UpcomingBatchTest {
  private static final int SAMPLES = 10;
  private static final int BATCH = 4;
  private static final int EPOCHS = 3;
  private static final Schedule RATE = new Schedule.Constant(0.5);

  private final List<List<Tensor>> asked = new ArrayList<>();
  private final List<List<Tensor>> run = new ArrayList<>();

  /** Points on a line, told apart by their sign. */
  private record Signs() implements DataSet {
    @Override
    public String name() {
      return "signs";
    }

    @Override
    public int size() {
      return SAMPLES;
    }

    @Override
    public int classes() {
      return 2;
    }

    @Override
    public List<TensorSpec> sample() {
      return List.of(TensorSpec.of(DType.FP32, 1), TensorSpec.of(DType.INT64));
    }

    @Override
    public void read(int index, List<Tensor> batch, int row) {
      Elements.set(batch.get(0).data(), DType.FP32, row, index % 2 == 0 ? 1 + index : -1 - index);
      Elements.set(batch.get(1).data(), DType.INT64, row, index % 2);
    }
  }

  /** Runs plans of the reference, and asks behind each run what comes next. */
  private record Asking(Plan plan, List<List<Tensor>> asked, List<List<Tensor>> run)
      implements Plan {
    @Override
    public List<Tensor> run(List<Tensor> inputs) {
      run.add(inputs);
      return plan.run(inputs);
    }

    @Override
    public void prepare(Supplier<Optional<List<Tensor>>> next) {
      asked.add(next.get().orElse(List.of()));
    }

    @Override
    public PlanReport report() {
      return plan.report();
    }

    @Override
    public void close() {
      plan.close();
    }
  }

  private Backend asking() {
    ReferenceBackend reference = new ReferenceBackend();
    return (Backend)
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(),
            new Class<?>[] {Backend.class},
            (_, method, arguments) -> {
              Object got = method.invoke(reference, arguments);
              return got instanceof Plan plan ? new Asking(plan, asked, run) : got;
            });
  }

  private static List<StepResult> train(Accumulation window, Backend backend) {
    List<StepResult> results = new ArrayList<>();
    Cell net = new WithLossCell(new Dense(1, 2), new SoftmaxCrossEntropyLoss());
    Momentum optimizer = new Momentum(RATE, 0.9, false, 0);
    Recipe recipe = Recipe.standard(net, optimizer);
    TrainStep step = new TrainStep(net, PrecisionRules.none(), LossScale.none(), recipe, window);
    try (TrainState state = TrainState.of(net, optimizer, 3);
        BatchCursor cursor = new BatchCursor(new Signs(), new Sampler.Shuffled(3), BATCH);
        TrainLoop loop =
            new TrainLoop(step, state, backend, new Execution.Planned(PlanOptions.PLAIN));
        Trainer trainer =
            new Trainer(
                loop,
                cursor,
                RATE,
                List.of(
                    event -> {
                      if (event instanceof TrainEvent.StepTaken taken) {
                        results.add(taken.result());
                      }
                    }))) {
      assertTrue(trainer.fit(EPOCHS, () -> false));
    }
    return results;
  }

  /** Over the ends of epochs, whose last batches are smaller, and within windows. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void eachBatchIsToldBeforeItsStepAndTheTrainingIsTheSame(int microBatches) {
    Accumulation window = microBatches == 1 ? Accumulation.none() : Accumulation.of(microBatches);
    List<StepResult> plain = train(window, new ReferenceBackend());
    assertEquals(plain, train(window, asking()));
    List<List<Tensor>> batches = run.stream().filter(inputs -> inputs.size() > 1).toList();
    List<List<Tensor>> told = asked.stream().filter(inputs -> inputs.size() > 1).toList();
    assertEquals(EPOCHS * Math.ceilDiv(SAMPLES, BATCH), batches.size());
    assertEquals(batches.size(), told.size());
    for (int i = 1; i < batches.size(); i++) {
      for (int input = 0; input < 3; input++) {
        assertSame(told.get(i - 1).get(input), batches.get(i).get(input), "batch " + i);
      }
    }
  }
}
