package dev.halfcell.backend.reference;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.GruGradient;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.LstmGradient;
import dev.halfcell.op.recurrent.Recurrent;
import dev.halfcell.tensor.Tensor;
import java.util.List;

/** Sample by sample and step by step, as the formulas of the ops say. */
final class RecurrentKernels {
  private RecurrentKernels() {}

  static List<double[]> compute(Recurrent op, List<Tensor> in, CellPath at) {
    return switch (op) {
      case Lstm _ -> LstmKernels.forward(new Sequences(op, in, at));
      case LstmGradient _ ->
          LstmKernels.backward(in, new Sequences(op, in.subList(5, in.size()), at));
      case Gru _ -> GruKernels.forward(new Sequences(op, in, at));
      case GruGradient _ ->
          GruKernels.backward(in, new Sequences(op, in.subList(4, in.size()), at));
    };
  }
}
