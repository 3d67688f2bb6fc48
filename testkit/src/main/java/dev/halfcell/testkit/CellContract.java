package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Collective;
import dev.halfcell.backend.Outcome;
import dev.halfcell.backend.Plan;
import dev.halfcell.backend.PlanOptions;
import dev.halfcell.backend.TracingExecutor;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Parameter;
import dev.halfcell.nn.Recording;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.FrameworkException;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.train.TrainState;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What every cell holds at every level, in both halves, training and in evaluation: the same output
 * spec, and FP32; a plain plan with the bits of eager execution; gradients by inputs and parameters
 * that are those of central differences; parameters in FP32; wrong inputs refused, naming the
 * cell's path. Cells are found among the class files of their package: one without a case fails.
 */
public abstract class CellContract {
  /** Opens the backend that cells run on. */
  protected abstract Backend open();

  @Test
  final void everyCellHasACase() throws IOException, URISyntaxException, ClassNotFoundException {
    List<Class<?>> tried = new ArrayList<>();
    CellCases.all().forEach(each -> tried.add(each.tried()));
    List<Class<?>> without =
        PublicCells.all().stream().filter(cell -> !tried.contains(cell)).toList();
    assertEquals(List.of(), without, "cells without a case in CellCases");
  }

  @TestFactory
  final Stream<DynamicTest> everyCellHoldsItsContract() {
    return CellCases.all().stream()
        .flatMap(
            each ->
                Stream.of(
                    dynamicTest(each + ": specs and bits", () -> specsAndBits(each)),
                    dynamicTest(each + ": gradients", () -> gradients(each)),
                    dynamicTest(each + ": parameters", () -> parameters(each)),
                    dynamicTest(each + ": wrong inputs", () -> wrongInputs(each))));
  }

  private void specsAndBits(CellCase each) {
    Map<Boolean, TensorSpec> expected = new TreeMap<>();
    try (Backend backend = open()) {
      for (CellTrial trial : CellTrial.all()) {
        TensorSpec y = sameBits(backend, each, trial);
        assertEquals(expected.computeIfAbsent(trial.training(), _ -> y), y, each + " " + trial);
        assertTrue(!y.dtype().floating() || y.dtype() == DType.FP32, each + " yields " + y);
      }
    }
  }

  /** Runs the cell both ways, and gives back the spec of its output. */
  private static TensorSpec sameBits(Backend backend, CellCase each, CellTrial trial) {
    Cell net = each.make().get();
    try (TensorScope scope = TensorScope.open();
        TrainState state = TrainState.of(net, Generator.seed())) {
      List<Tensor> in = new ArrayList<>(CellTrial.inputs(each, scope, DType.FP32));
      in.add(CellTrial.samples(scope, in));
      TracingExecutor tracing = new TracingExecutor(state);
      List<Tensor> symbols = in.stream().map(x -> tracing.input(x.spec())).toList();
      List<Tensor> promised = trial.describe(net, tracing, tracing, symbols);
      List<Tensor> eager = trial.describe(net, backend.eager(scope), state, in);
      try (Plan plan =
          backend.compile(
              tracing.graph(Outcome.of(promised)), state, PlanOptions.PLAIN, Collective.single())) {
        List<Tensor> planned = plan.run(in);
        for (int i = 0; i < eager.size(); i++) {
          String what = each + ", " + trial + ", result " + i;
          assertTrue(eager.get(i).sameBits(planned.get(i)), what);
        }
      }
      return eager.getFirst().spec();
    }
  }

  private static void gradients(CellCase each) {
    for (boolean training : List.of(true, false)) {
      try (TensorScope scope = TensorScope.open()) {
        List<Tensor> inputs = CellTrial.inputs(each, scope, DType.FP64);
        CellGradients.check(each, inputs, training);
      }
    }
  }

  private static void parameters(CellCase each) {
    each.make()
        .get()
        .paths()
        .forEach(
            (cell, at) -> {
              for (Parameter parameter : cell.parameters()) {
                String what = each + " at " + at + ": " + parameter;
                assertFalse(parameter.name().isBlank(), what);
                assertEquals(DType.FP32, parameter.spec().dtype(), what);
                assertTrue(parameter.in(at).path().text().endsWith("/" + parameter.name()), what);
              }
            });
  }

  private static void wrongInputs(CellCase each) {
    refusedOrTaken(each, List.of());
    WrongInputs.of(each.inputs(), DType.FP32).forEach(inputs -> refusedOrTaken(each, inputs));
  }

  /** No inputs are refused by all cells; others may be taken, such as a batch of another size. */
  private static void refusedOrTaken(CellCase each, List<Argument> inputs) {
    Cell net = new CellTrial.Holder(each.make().get());
    List<TensorSpec> specs = CellTrial.specs(inputs);
    String what = each + " of " + specs;
    try (TrainState state = TrainState.of(net, 1)) {
      TracingExecutor tracing = new TracingExecutor(state);
      Tensor[] symbols = specs.stream().map(tracing::input).toArray(Tensor[]::new);
      int rows = specs.stream().mapToInt(s -> s.rank() == 0 ? 1 : s.dim(0)).max().orElse(1);
      Tensor samples = Tensor.symbol(TensorSpec.of(DType.INT64, rows));
      new Recording(tracing, tracing, net, samples, true).call(net, symbols);
      assertFalse(inputs.isEmpty(), what + " was taken");
    } catch (FrameworkException e) {
      String message = what + ": " + e.problem().message();
      assertTrue(e.problem().where().startsWith("/" + CellTrial.Holder.CHILD), message);
      assertFalse(e.problem().expected().isBlank(), message);
      assertFalse(e.problem().got().isBlank(), message);
      assertFalse(e.problem().fix().isBlank(), message);
    } catch (RuntimeException e) {
      throw new AssertionError(what + " is neither taken nor refused", e);
    }
  }
}
