package dev.halfcell.amp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Capabilities;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Graph;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.backend.Variable;
import dev.halfcell.backend.Variables;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.Initializer;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.Sequential;
import dev.halfcell.nn.WithLossCell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Inference;
import dev.halfcell.train.Recipe;
import dev.halfcell.train.TrainState;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a training makes of sums that are kept in half, and where it is refused. */
class PartialsTrainingTest {
  private static final int SUMMED = 10_000;
  private static final AmpOptions OPTIONS =
      AmpOptions.defaults().backend(new ReferenceBackend()).lossScale(LossScale.none());

  private static Tensor filled(TensorScope scope, double value, int... dims) {
    TensorSpec spec = TensorSpec.of(DType.FP32, dims);
    double[] values = new double[Math.toIntExact(spec.size())];
    Arrays.fill(values, value);
    return Tensor.of(scope, spec, values);
  }

  /** Ten thousand inputs of 1 through weights of 0.0001. */
  private static double predicted(AmpOptions options) {
    Cell net = new Dense(SUMMED, 1, new Initializer.Constant(1e-4), new Initializer.Constant(0));
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(net, new MSELoss(), new Sgd(0.1), Level.O2, options);
        Inference inference = train.inference()) {
      return inference.run(filled(scope, 1, 1, SUMMED)).item();
    }
  }

  @Test
  void fp16SumsGiveAQuarterAndFp32SumsOne() {
    assertEquals(1, predicted(OPTIONS));
    assertEquals(0.25, predicted(OPTIONS.partials(DType.FP16)));
    assertEquals(0.25, predicted(OPTIONS.partials(Dense.class, DType.FP16)));
    assertEquals(1, predicted(OPTIONS.partials(DType.FP16).partials("/**", DType.FP32)));
  }

  /** Ten thousand rows, each with a gradient of 0.0001 by the weight: 2 (0.5 − 0) / 10,000. */
  private static double moved(AmpOptions options) {
    Cell net = new Dense(1, 1, new Initializer.Constant(0.5), new Initializer.Constant(0));
    try (TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(net, new MSELoss(), new Sgd(1), Level.O2, options)) {
      train.run(filled(scope, 1, SUMMED, 1), filled(scope, 0, SUMMED, 1));
      Variable weight = new Variable(Variable.Kind.PARAMETER, new CellPath("/weight"));
      return 0.5 - train.state().read(weight).item();
    }
  }

  @Test
  void theGradientOfAParameterIsSummedInFp16Too() {
    assertEquals(1, moved(OPTIONS), 1e-3);
    assertEquals(0.25, moved(OPTIONS.partials(DType.FP16)));
  }

  /** The reference backend, as if it offered no partials. */
  private record Lacking(Backend backend) implements Backend {
    @Override
    public String name() {
      return "lacking";
    }

    @Override
    public Capabilities capabilities() {
      return new Capabilities(backend.capabilities().computes());
    }

    @Override
    public Executor eager(TensorScope scope) {
      return backend.eager(scope);
    }

    @Override
    public Plan compile(Graph graph, Variables state, PlanOptions options, Collective collective) {
      return backend.compile(graph, state, options, collective);
    }

    @Override
    public PlanReport measure(Graph graph, PlanOptions options) {
      return backend.measure(graph, options);
    }

    @Override
    public void close() {
      backend.close();
    }
  }

  private static Cell net() {
    return new WithLossCell(new Sequential(new Dense(1, 1), new Dense(1, 1)), new MSELoss());
  }

  private static final AmpOptions LACKING =
      OPTIONS.backend(new Lacking(new ReferenceBackend())).partials("/1", DType.FP16);

  private static TrainStepCell built(Level level, AmpOptions options) {
    return Amp.buildTrainNetwork(net(), new Sgd(0.1), level, options);
  }

  @Test
  void aBackendThatDoesNotOfferThemIsRefusedBeforeAnythingIsCompiled() {
    ArgumentException e = assertThrows(ArgumentException.class, () -> built(Level.O2, LACKING));
    assertEquals(
        "[partials] at /1: expected a backend that keeps sums of products in fp16 on request, got"
            + " lacking. Take the reference backend, or leave partials out.",
        e.problem().message());
    try (TrainState state = TrainState.of(net(), 1)) {
      Recipe recipe = Recipe.standard(net(), new Sgd(0.1));
      assertThrows(
          ArgumentException.class,
          () -> Amp.buildTrainLoop(net(), recipe, Level.O1, LACKING.state(state)));
    }
  }

  @Test
  void whereTheCellIsFp32OrTheSumsAreNothingIsAskedOfABackend() {
    built(Level.O0, LACKING).close();
    built(Level.O2, LACKING.lists(l -> l.deny("/1"))).close();
    built(Level.O2, OPTIONS.backend(new Lacking(new ReferenceBackend()))).close();
    built(Level.O2, LACKING.backend(new ReferenceBackend())).close();
  }
}
