package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.backend.ReferenceBackend;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.op.Op;
import dev.halfcell.op.random.RandomOp;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.tensor.UsageException;
import dev.halfcell.train.TrainState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CellTest {
  @Test
  void pathsFollowTheTree() {
    Cell net = new Sequential(new Dense(4, 3), new Sequential(new ReLU(), new Dense(3, 2)));
    assertEquals(
        List.of("/", "/0", "/1", "/1/0", "/1/1"),
        net.paths().values().stream().map(CellPath::text).toList());
  }

  @Test
  void aCellUsedTwiceIsTied() {
    Dense shared = new Dense(3, 3);
    Cell net = new Sequential(shared, new ReLU(), shared);
    assertEquals(3, net.paths().size());
    try (TrainState state = TrainState.of(net, new Sgd(0.1), 1)) {
      assertEquals(
          2,
          state.values().keySet().stream()
              .filter(v -> v.kind().name().equals("PARAMETER"))
              .count());
    }
  }

  @Test
  void aLossAroundANetworkRenamesNothing() {
    Cell net = new Sequential(new Dense(4, 3));
    Cell with = new WithLossCell(net, new SoftmaxCrossEntropyLoss());
    assertEquals(
        List.of("/", "/", "/0", "/loss_fn"),
        with.paths().values().stream().map(CellPath::text).toList());
  }

  @Test
  void twoCellsAtOnePathAreRefused() {
    Cell net =
        new Cell() {
          private final Cell taken = child("loss_fn", new ReLU());

          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            return f.call(taken, in);
          }
        };
    Cell with = new WithLossCell(net, new MSELoss());
    assertThrows(ArgumentException.class, with::paths);
  }

  @Test
  void namesAreChecked() {
    assertThrows(ArgumentException.class, () -> new Sequential(Map.of("a/b", new ReLU())));
    assertThrows(ArgumentException.class, () -> new Dense(0, 3));
    assertThrows(ArgumentException.class, () -> new Conv2d(3, 0, 3));
    assertThrows(ArgumentException.class, () -> new Dropout(1));
    assertThrows(ArgumentException.class, () -> new BatchNorm2d(4, Double.NaN, 0.9));
  }

  @Test
  void errorsNameOpPathExpectedGotAndFix() {
    HalfCellException e =
        assertThrows(
            ShapeException.class,
            () -> run(new Sequential(new Conv2d(3, 8, 3)), TensorSpec.of(DType.FP32, 2, 4, 8, 8)));
    assertEquals("Conv2d", e.problem().subject());
    assertEquals("/0", e.problem().where());
    assertTrue(e.problem().expected().startsWith("3 input channels"), e.getMessage());
    assertTrue(e.problem().got().contains("[2, 4, 8, 8]"), e.getMessage());
    assertEquals("Check the previous cell's output channels.", e.problem().fix());
  }

  @Test
  void wrongCallsAreNamed() {
    TensorSpec matrix = TensorSpec.of(DType.FP32, 2, 4);
    Cell stranger =
        new Cell() {
          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            return f.call(new ReLU(), in);
          }
        };
    UsageException notAChild = assertThrows(UsageException.class, () -> run(stranger, matrix));
    assertTrue(
        notAChild.problem().message().contains("child(\"name\", cell)"), notAChild.getMessage());
    assertThrows(UsageException.class, () -> run(new MSELoss(), matrix));
    Cell reader =
        new Cell() {
          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            f.only(in).at(0);
            return in[0];
          }
        };
    assertEquals(matrix, run(reader, matrix).spec());
  }

  /** A second update of a variable in one step has to have read the first. */
  @Test
  void updatesAreNotLost() {
    Cell twice =
        new Cell() {
          private final Parameter counter = statistic("counter", new Initializer.Constant(1));

          @Override
          protected Tensor construct(Forward f, Tensor... in) {
            f.update(counter, f.ops().add(f.read(counter), f.read(counter)));
            Tensor seen = f.read(counter);
            f.update(counter, f.ops().add(seen, seen));
            f.update(counter, seen);
            return in[0];
          }
        };
    UsageException lost =
        assertThrows(UsageException.class, () -> run(twice, TensorSpec.of(DType.FP32, 1)));
    assertEquals("/counter", lost.problem().where());
  }

  @Test
  void dropoutOfNothingDrawsNothing() {
    Cell net = new Sequential(new Dropout(0), new ReLU(), new Dropout(0.5));
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, 1)) {
      List<Op> drawn = new ArrayList<>();
      Executor computing = new ReferenceBackend().eager(scope);
      Executor noting =
          (op, in, at) -> {
            Stream.of(op).filter(RandomOp.class::isInstance).forEach(drawn::add);
            return computing.execute(op, in, at);
          };
      Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, 3));
      Tensor x = scope.allocate(TensorSpec.of(DType.FP32, 3, 2));
      var _ = new Recording(noting, state, net, samples, true).call(net, x);
      assertEquals(1, drawn.size(), drawn.toString());
    }
  }

  private static Tensor run(Cell net, TensorSpec input) {
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, 1)) {
      Tensor samples = scope.allocate(TensorSpec.of(DType.INT64, input.dim(0)));
      Recording recording =
          new Recording(new ReferenceBackend().eager(scope), state, net, samples, true);
      return recording.call(net, scope.allocate(input));
    }
  }
}
