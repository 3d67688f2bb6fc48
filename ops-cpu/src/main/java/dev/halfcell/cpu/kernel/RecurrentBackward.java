package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.SampleParts.load;
import static dev.halfcell.cpu.kernel.SampleParts.store;

import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.tensor.DType;
import java.util.List;

/**
 * Back-propagation through time. Each thread takes some of the samples back through all steps and
 * writes the gradients of what goes into the gates; those of inputs and parameters are then
 * products over all steps at once.
 */
final class RecurrentBackward {
  private final SampleParts all;
  private final SampleSteps steps;
  private final List<Operand> in;
  private final List<Operand> ofOp;
  private final List<Operand> out;
  private final int states;
  private final Operand allA;
  private final Operand allQ;
  private final Operand allH;
  private final Operand x;
  private final boolean copiesX;
  private final Operand stepQ;
  private final Operand product;
  private final Operand dh;
  private final Operand dc;
  private final Primitive[] products;

  private RecurrentBackward(
      KernelBuilder builder, SampleParts all, List<Operand> in, List<Operand> out) {
    this.all = all;
    this.steps = all.steps;
    this.states = all.states;
    this.in = in;
    this.out = out;
    ofOp = in.subList(states + 3, in.size());
    allA = all.ofSteps(all.width);
    allQ = all.summed() ? allA : all.ofSteps(all.width);
    allH = all.ofSteps(steps.hidden);
    copiesX = steps.ragged() || ofOp.getFirst().dtype() != DType.FP32;
    x = copiesX ? all.ofSteps(steps.inputs) : MatrixKernels.rows(ofOp.getFirst());
    stepQ = all.ofSamples(all.width);
    product = all.ofSamples(steps.hidden);
    dh = all.ofSamples(steps.hidden);
    dc = all.ofSamples(steps.hidden);
    products = MatrixKernels.byRows(builder, stepQ, ofOp.get(2), false, product, all.samples);
  }

  static void build(KernelBuilder builder, SampleParts all, List<Operand> in, List<Operand> out) {
    RecurrentBackward backward = new RecurrentBackward(builder, all, in, out);
    List<Part> parts = all.make((number, math) -> backward.new Part(number, math));
    builder.stage(1, _ -> all.steps.read());
    builder.stage(parts.size(), part -> parts.get(part).run());
    backward.sums(builder, parts);
  }

  private void sums(KernelBuilder builder, List<Part> parts) {
    Operand dx =
        MatrixKernels.product(
            builder, allA, false, ofOp.get(1), false, MatrixKernels.rows(out.get(0)));
    if (steps.ragged()) {
      // What is not a number in the weights would reach behind the end of samples.
      builder.stage(parts.size(), part -> parts.get(part).silence(dx));
    }
    var _ = MatrixKernels.product(builder, allA, true, x, false, out.get(1));
    var _ = MatrixKernels.product(builder, allQ, true, allH, false, out.get(2));
    ReductionKernels.sum(builder, allA, out.get(3), List.of(0));
    ReductionKernels.sum(builder, allQ, out.get(4), List.of(0));
  }

  /** Some of the samples, with arrays of their own. */
  private final class Part {
    private final int number;
    private final GateMath math;
    private final int hidden = steps.hidden;
    private final int width;
    private final Chunk saved = new Chunk(4 * hidden);
    private final Chunk kept = new Chunk(hidden);
    private final Chunk h = new Chunk(hidden);
    private final Chunk c = new Chunk(hidden);
    private final GateMath.Made made =
        new GateMath.Made(saved.values, kept.values, h.values, c.values);
    private final Chunk dhRow = new Chunk(hidden);
    private final Chunk dcRow = new Chunk(hidden);
    private final Chunk term = new Chunk(hidden);
    private final Chunk features = new Chunk(steps.inputs);
    private final Chunk da;
    private final Chunk dq;
    private final Chunk zeros;

    Part(int number, GateMath math) {
      this.number = number;
      this.math = math;
      width = all.width;
      da = new Chunk(width);
      dq = new Chunk(width);
      zeros = new Chunk(Math.max(width, steps.inputs));
    }

    void run() {
      int from = all.samples.from(number);
      int to = all.samples.from(number + 1);
      for (int n = from; n < to; n++) {
        begin(n);
      }
      for (int turn = steps.time - 1; turn >= 0; turn--) {
        int step = steps.step(turn);
        for (int n = from; n < to; n++) {
          gates(step, n);
        }
        products[number].run();
        for (int n = from; n < to; n++) {
          if (steps.has(step, n)) {
            addTo(dh, n, product, n);
          }
        }
      }
      for (int n = from; n < to && steps.stateful(); n++) {
        end(n);
      }
    }

    private void begin(int n) {
      for (int i = 0; i < states; i++) {
        load(term, in.get(1 + i), n, hidden);
        store(term, i == 0 ? dh : dc, n, hidden);
      }
    }

    private void gates(int step, int n) {
      int row = steps.row(step, n);
      if (steps.has(step, n)) {
        addTo(dh, n, in.getFirst(), row);
        step(step, n);
        copyX(row);
      } else {
        store(zeros, allA, row, width);
        storeQ(zeros, row);
        store(zeros, stepQ, n, width);
        store(zeros, allH, row, hidden);
        store(zeros, x, row, steps.inputs);
      }
    }

    /** What is not a number behind the end of a sample would reach the weights' gradients. */
    private void copyX(int row) {
      if (copiesX) {
        load(features, ofOp.getFirst(), row, steps.inputs);
        store(features, x, row, steps.inputs);
      }
    }

    private void storeQ(Chunk values, int row) {
      if (!all.summed()) {
        store(values, allQ, row, width);
      }
    }

    private void step(int step, int n) {
      int row = steps.row(step, n);
      before(step, n);
      store(h, allH, row, hidden);
      load(saved, in.get(states + 1), row, 4 * hidden);
      load(kept, in.get(states + 2), row, hidden);
      load(dhRow, dh, n, hidden);
      load(dcRow, dc, n, hidden);
      math.backward(made, dhRow.values, dcRow.values, da.values, dq.values);
      store(dhRow, dh, n, hidden);
      store(dcRow, dc, n, hidden);
      store(da, allA, row, width);
      storeQ(dq, row);
      store(dq, stepQ, n, width);
    }

    /** Fetches h and c as they were before the step. */
    private void before(int step, int n) {
      int before = steps.before(step);
      if (steps.has(before, n)) {
        load(saved, in.get(states + 1), steps.row(before, n), 4 * hidden);
        load(kept, in.get(states + 2), steps.row(before, n), hidden);
        math.restore(saved.values, kept.values, h.values, c.values);
      } else {
        initial(h, 0, n);
        if (states == 2) {
          initial(c, 1, n);
        }
      }
    }

    private void initial(Chunk state, int which, int n) {
      if (steps.stateful()) {
        load(state, ofOp.get(5 + which), n, hidden);
      } else {
        System.arraycopy(zeros.values, 0, state.values, 0, hidden);
      }
    }

    /** to[n] += from[row]. */
    private void addTo(Operand to, int n, Operand from, int row) {
      load(dhRow, to, n, hidden);
      load(term, from, row, hidden);
      for (int j = 0; j < hidden; j++) {
        dhRow.values[j] += term.values[j];
      }
      store(dhRow, to, n, hidden);
    }

    private void end(int n) {
      for (int i = 0; i < states; i++) {
        load(term, i == 0 ? dh : dc, n, hidden);
        store(term, out.get(5 + i), n, hidden);
      }
    }

    /** Zeros behind the end of samples. */
    void silence(Operand dx) {
      for (int step = 0; step < steps.time; step++) {
        for (int n = all.samples.from(number); n < all.samples.from(number + 1); n++) {
          if (!steps.has(step, n)) {
            store(zeros, dx, steps.row(step, n), steps.inputs);
          }
        }
      }
    }
  }
}
