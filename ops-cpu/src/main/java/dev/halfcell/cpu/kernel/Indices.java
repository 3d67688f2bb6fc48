package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.indexing.Indexing;
import dev.halfcell.tensor.Elements;

/** The indices of an op, each held to its range when it is read. */
record Indices(Indexing op, CellPath at, Operand operand) {
  int count() {
    return Flat.size(operand);
  }

  /**
   * Index {@code place}.
   *
   * @throws dev.halfcell.tensor.DataException where it is not from 0 to {@code size} - 1
   */
  int at(int place, int size) {
    double index = Elements.get(operand.region().data(), operand.dtype(), place);
    return Indexing.require(op, at, index, place, size);
  }
}
