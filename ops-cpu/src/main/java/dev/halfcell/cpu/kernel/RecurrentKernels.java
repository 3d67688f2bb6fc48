package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.Layer;
import dev.halfcell.op.recurrent.LayerGradient;
import dev.halfcell.op.recurrent.Recurrent;
import java.util.List;

/** LSTM and GRU: products by oneDNN, gates by vectorised loops. */
final class RecurrentKernels {
  private RecurrentKernels() {}

  static void build(
      KernelBuilder builder, Recurrent op, List<Operand> in, List<Operand> out, CellPath at) {
    switch (op) {
      case Layer layer -> {
        SampleSteps steps = new SampleSteps(op, in, at);
        RecurrentForward.build(builder, new SampleParts(builder, layer, steps), in, out);
      }
      case LayerGradient gradient -> {
        // Before the layer's inputs stand gradients of y and of the states, and what was saved.
        int before = gradient.of().states() + 3;
        SampleSteps steps = new SampleSteps(op, in.subList(before, in.size()), at);
        RecurrentBackward.build(builder, new SampleParts(builder, gradient.of(), steps), in, out);
      }
    }
  }
}
