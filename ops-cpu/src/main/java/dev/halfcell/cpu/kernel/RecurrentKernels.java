package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.GruGradient;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.LstmGradient;
import dev.halfcell.op.recurrent.Recurrent;
import java.util.List;

/** LSTM and GRU: products by oneDNN, gates by vectorised loops. */
final class RecurrentKernels {
  private RecurrentKernels() {}

  static void build(
      KernelBuilder builder, Recurrent op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case Lstm _ -> {
        SampleSteps steps = new SampleSteps(op, in, at);
        RecurrentForward.build(builder, steps, () -> new LstmGates(steps.hidden), in, out);
      }
      case Gru _ -> {
        SampleSteps steps = new SampleSteps(op, in, at);
        RecurrentForward.build(builder, steps, () -> new GruGates(steps.hidden), in, out);
      }
      case LstmGradient _ -> {
        SampleSteps steps = new SampleSteps(op, in.subList(5, in.size()), at);
        RecurrentBackward.build(builder, steps, () -> new LstmGates(steps.hidden), in, out);
      }
      case GruGradient _ -> {
        SampleSteps steps = new SampleSteps(op, in.subList(4, in.size()), at);
        RecurrentBackward.build(builder, steps, () -> new GruGates(steps.hidden), in, out);
      }
    }
  }
}
