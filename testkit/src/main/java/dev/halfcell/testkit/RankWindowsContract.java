package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.TrainStepCell;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Variable;
import dev.halfcell.nn.Dense;
import dev.halfcell.nn.MSELoss;
import dev.halfcell.nn.ReLU;
import dev.halfcell.nn.Sequential;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.optim.Momentum;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.Accumulation;
import dev.halfcell.train.Accumulation.OnOverflow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A window of several ranks in which micro-batches are dropped takes the step of one rank that has
 * all the micro-batches that were kept, whichever ranks they were of.
 */
public abstract class RankWindowsContract {
  private static final int WINDOWS = 4;
  private static final int EACH = 2;

  /** Opens the backend that is held to the contract. */
  protected abstract Backend open();

  /** So many of the first rank's micro-batches overflow in the second window: some, or all. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  final void whatWasDroppedTakesNoPart(int dropped) {
    Map<String, double[]> joined = train(Collective.single(), List.of(0, 1), dropped);
    List<Map<String, double[]>> ranks =
        ThreadCollective.run(2, rank -> train(rank, List.of(rank.rank()), dropped));
    for (Map<String, double[]> rank : ranks) {
      assertEquals(joined.keySet(), rank.keySet());
      joined.forEach((name, value) -> assertArrayEquals(value, rank.get(name), 1e-5, name));
    }
  }

  /** The parameters after all windows, as a rank that has the micro-batches of these. */
  private Map<String, double[]> train(Collective rank, List<Integer> of, int dropped) {
    AmpOptions options =
        AmpOptions.defaults()
            .lossScale(LossScale.dynamic().from(256))
            .accumulation(new Accumulation(EACH * of.size(), OnOverflow.DROP_MICRO_BATCH))
            .collective(rank)
            .seed(3);
    try (Backend backend = open();
        TensorScope scope = TensorScope.open();
        TrainStepCell train =
            Amp.buildTrainNetwork(
                new Sequential(new Dense(3, 6), new ReLU(), new Dense(6, 1)),
                new MSELoss(),
                new Momentum(0.05, 0.9),
                Level.O0,
                options.backend(backend))) {
      for (int window = 0; window < WINDOWS; window++) {
        for (int owner : of) {
          for (int i = 0; i < EACH; i++) {
            boolean bad = owner == 0 && window == 1 && i < dropped;
            run(train, scope, (window * 2 + owner) * EACH + i, bad);
          }
        }
      }
      return parameters(train);
    }
  }

  private static void run(TrainStepCell train, TensorScope scope, int number, boolean bad) {
    double[] all = Fill.normals().values(new Generator(number), 16);
    Tensor x = Tensor.of(scope, TensorSpec.of(DType.FP32, 4, 3), slice(all, 0, 12));
    Tensor y = Tensor.of(scope, TensorSpec.of(DType.FP32, 4, 1), slice(all, 12, 4));
    if (bad) {
      Elements.set(x.data(), DType.FP32, 0, Double.POSITIVE_INFINITY);
    }
    var _ = train.run(x, y);
  }

  private static double[] slice(double[] of, int from, int count) {
    return IntStream.range(from, from + count).mapToDouble(i -> of[i]).toArray();
  }

  private static Map<String, double[]> parameters(TrainStepCell train) {
    Map<String, double[]> found = new TreeMap<>();
    train
        .state()
        .values()
        .forEach(
            (variable, value) -> {
              if (variable.kind() == Variable.Kind.PARAMETER) {
                found.put(variable.toString(), value.toArray());
              }
            });
    assertTrue(found.size() == 4, found.keySet()::toString);
    return found;
  }
}
