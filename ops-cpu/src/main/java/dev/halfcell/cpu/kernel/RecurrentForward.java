package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.SampleParts.address;
import static dev.halfcell.cpu.kernel.SampleParts.load;
import static dev.halfcell.cpu.kernel.SampleParts.store;

import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;

/**
 * A recurrent layer in one direction. The input's products are computed for all steps at once; then
 * each thread takes some of the samples through all steps, so that threads do not wait for each
 * other between steps. h is rounded to the dtype of x after each step and kept in the dtype that
 * products are computed in; c is kept in FP32.
 */
final class RecurrentForward {
  private final SampleParts all;
  private final SampleSteps steps;
  private final List<Operand> in;
  private final List<Operand> out;
  private final int states;
  private final Operand projected;
  private final Operand product;
  private final List<Operand> carried;
  private final Gates biasX;
  private final Gates biasH;
  private final Primitive[] products;

  private RecurrentForward(
      KernelBuilder builder, SampleParts all, List<Operand> in, List<Operand> out) {
    this.all = all;
    this.steps = all.steps;
    this.states = all.states;
    this.in = in;
    this.out = out;
    projected = all.ofSteps(DType.FP32, all.width);
    product = all.ofSamples(DType.FP32, all.width);
    Operand h = all.ofSamples(all.computed, steps.hidden);
    carried = List.of(h, all.ofSamples(DType.FP32, steps.hidden)).subList(0, states);
    biasX = all.gates();
    biasH = all.gates();
    var _ =
        MatrixKernels.product(
            builder, MatrixKernels.rows(in.get(0)), false, in.get(1), true, projected);
    products = MatrixKernels.byRows(builder, h, in.get(2), true, product, all.samples);
  }

  static void build(KernelBuilder builder, SampleParts all, List<Operand> in, List<Operand> out) {
    RecurrentForward forward = new RecurrentForward(builder, all, in, out);
    List<Part> parts = all.make((number, math) -> forward.new Part(number, math));
    builder.stage(1, _ -> forward.begin());
    builder.stage(parts.size(), part -> parts.get(part).run());
  }

  private void begin() {
    steps.read();
    biasX.load(in.get(3), 0);
    biasH.load(in.get(4), 0);
  }

  /** Some of the samples, with arrays of their own. */
  private final class Part {
    private final int number;
    private final GateMath math;
    private final int hidden = steps.hidden;
    private final Gates a = all.gates();
    private final Gates q = all.gates();
    private final Gates saved = new Gates(4, hidden);
    private final Chunk h = new Chunk(hidden);
    private final Chunk c = new Chunk(hidden);
    private final Chunk last = states == 2 ? c : h;
    private final Chunk zeros = new Chunk(4 * hidden);
    private final Optional<LstmVectors> vectors;

    Part(int number, GateMath math) {
      this.number = number;
      this.math = math;
      vectors = math.vectors();
    }

    void run() {
      int from = all.samples.from(number);
      int to = all.samples.from(number + 1);
      for (int n = from; n < to; n++) {
        begin(n);
      }
      for (int turn = 0; turn < steps.time; turn++) {
        int step = steps.step(turn);
        products[number].run();
        for (int n = from; n < to; n++) {
          if (steps.has(step, n)) {
            step(steps.row(step, n), n);
          } else {
            silence(steps.row(step, n));
          }
        }
      }
      for (int n = from; n < to; n++) {
        end(n);
      }
    }

    private void begin(int n) {
      for (int i = 0; i < states; i++) {
        Chunk initial = steps.stateful() ? h : zeros;
        if (steps.stateful()) {
          load(h, in.get(5 + i), n, hidden);
        }
        store(initial, carried.get(i), n, hidden);
      }
    }

    private void step(int row, int n) {
      if (vectors.isPresent()) {
        inMemory(vectors.get(), row, n);
      } else {
        onTheHeap(row, n);
      }
    }

    private void onTheHeap(int row, int n) {
      a.load(projected, row);
      q.load(product, n);
      a.add(biasX);
      q.add(biasH);
      load(last, carried.getLast(), n, hidden);
      math.forward(a.values, q.values, h.values, c.values, saved.values);
      h.round(steps.dtype, hidden);
      store(h, carried.getFirst(), n, hidden);
      store(last, carried.getLast(), n, hidden);
      store(h, out.getFirst(), row, hidden);
      saved.store(out.get(states + 1), row);
      store(last, out.get(states + 2), row, hidden);
    }

    private void inMemory(LstmVectors by, int row, int n) {
      long gates = address(out.get(states + 1), row, all.width);
      long before = address(carried.getLast(), n, hidden);
      by.gates(
          address(projected, row, all.width), biasX, address(product, n, all.width), biasH, gates);
      long after = address(out.get(states + 2), row, hidden);
      by.states(gates, before, after, h.values);
      Transfers.copy(after, before, 4L * hidden);
      Operand y = out.getFirst();
      Operand state = carried.getFirst();
      store(h, y, row, hidden);
      if (state.dtype() == y.dtype()) {
        long bytes = (long) y.dtype().bytes() * hidden;
        Transfers.copy(address(y, row, hidden), address(state, n, hidden), bytes);
      } else {
        h.round(steps.dtype, hidden);
        store(h, state, n, hidden);
      }
    }

    private void silence(int row) {
      store(zeros, out.getFirst(), row, hidden);
      store(zeros, out.get(states + 1), row, 4 * hidden);
      store(zeros, out.get(states + 2), row, hidden);
    }

    private void end(int n) {
      for (int i = 0; i < states; i++) {
        load(h, carried.get(i), n, hidden);
        store(h, out.get(1 + i), n, hidden);
      }
    }
  }
}
