package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.SampleParts.address;
import static dev.halfcell.cpu.kernel.SampleParts.load;
import static dev.halfcell.cpu.kernel.SampleParts.store;

import dev.halfcell.cpu.onednn.Primitive;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Back-propagation through time. Each thread takes some of the samples back through all steps and
 * writes the gradients of what goes into the gates, rounded to the dtype of x; those of inputs and
 * parameters are then products over all steps at once.
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
  private final Operand stepQ;
  private final Operand product;
  private final List<Operand> carried; // dh, and dc where there is one
  private final List<Operand> last; // what came to the last states
  private final List<Operand> initial; // what goes to initial states, if there are any
  private final Primitive[] products;

  private RecurrentBackward(
      KernelBuilder builder, SampleParts all, List<Operand> in, List<Operand> out) {
    this.all = all;
    this.steps = all.steps;
    this.states = all.states;
    this.in = in;
    this.out = out;
    ofOp = in.subList(states + 3, in.size());
    allA = all.ofSteps(all.computed, all.width);
    allQ = all.summed() ? allA : all.ofSteps(all.computed, all.width);
    allH = all.ofSteps(all.computed, steps.hidden);
    x =
        steps.ragged()
            ? all.ofSteps(all.computed, steps.inputs)
            : MatrixKernels.rows(ofOp.getFirst());
    stepQ = all.ofSamples(all.computed, all.width);
    product = all.ofSamples(DType.FP32, steps.hidden);
    carried = Stream.generate(() -> all.ofSamples(DType.FP32, steps.hidden)).limit(states).toList();
    last = in.subList(1, 1 + states);
    initial = steps.stateful() ? out.subList(5, 5 + states) : List.of();
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
    biases(builder, out.get(3), out.get(4));
  }

  private void biases(KernelBuilder builder, Operand x, Operand h) {
    if (all.summed()) {
      boolean first = x.dtype() == DType.FP32; // from which the other one has the same bits
      ReductionKernels.sum(builder, allA, first ? x : h, List.of(0));
      Flat.cast(builder, first ? x : h, first ? h : x);
    } else {
      ReductionKernels.sum(builder, allA, x, List.of(0));
      ReductionKernels.sum(builder, allQ, h, List.of(0));
    }
  }

  /** Some of the samples, with arrays of their own. */
  private final class Part {
    private final int number;
    private final GateMath math;
    private final int hidden = steps.hidden;
    private final int width;
    private final Gates saved = new Gates(4, hidden);
    private final Chunk kept = new Chunk(hidden);
    private final Chunk before = new Chunk(hidden);
    private final GateMath.Made made = new GateMath.Made(saved.values, kept.values, before.values);
    private final Chunk dh = new Chunk(hidden);
    private final Chunk dc = new Chunk(hidden);
    private final Chunk term = new Chunk(hidden);
    private final Chunk h = new Chunk(hidden);
    private final Chunk features = new Chunk(steps.inputs);
    private final Gates da = all.gates();
    private final Gates dq = all.summed() ? da : all.gates();
    private final Chunk zeros;
    private final Optional<LstmVectors> vectors;

    Part(int number, GateMath math) {
      this.number = number;
      this.math = math;
      width = all.width;
      zeros = new Chunk(Math.max(width, steps.inputs));
      vectors = math.vectors();
    }

    void run() {
      int from = all.samples.from(number);
      int to = all.samples.from(number + 1);
      for (int n = from; n < to; n++) {
        copy(last, carried, n);
      }
      for (int turn = steps.time - 1; turn >= 0; turn--) {
        int step = steps.step(turn);
        for (int n = from; n < to; n++) {
          gates(step, n);
        }
        products[number].run();
        for (int n = from; n < to; n++) {
          if (steps.has(step, n)) {
            addProduct(n);
          }
        }
      }
      for (int n = from; n < to; n++) {
        copy(carried, initial, n);
      }
    }

    private void copy(List<Operand> from, List<Operand> to, int n) {
      for (int i = 0; i < to.size(); i++) {
        load(term, from.get(i), n, hidden);
        store(term, to.get(i), n, hidden);
      }
    }

    private void gates(int step, int n) {
      int row = steps.row(step, n);
      if (steps.has(step, n)) {
        step(step, n);
        copyX(row);
      } else {
        store(zeros, allA, row, width);
        store(zeros, allQ, row, width);
        store(zeros, stepQ, n, width);
        store(zeros, allH, row, hidden);
        store(zeros, x, row, steps.inputs);
      }
    }

    /** What is not a number behind the end of a sample would reach the weights' gradients. */
    private void copyX(int row) {
      if (steps.ragged()) {
        load(features, ofOp.getFirst(), row, steps.inputs);
        store(features, x, row, steps.inputs);
      }
    }

    private void step(int step, int n) {
      int row = steps.row(step, n);
      before(step, n);
      if (vectors.isPresent()) {
        inMemory(vectors.get(), row, n);
      } else {
        onTheHeap(row, n);
      }
      all.round(da);
      da.store(allA, row);
      if (!all.summed()) {
        all.round(dq);
        dq.store(allQ, row);
      }
      Transfers.copy(
          address(allQ, row, width),
          address(stepQ, n, width),
          (long) stepQ.dtype().bytes() * width);
      after(step, n);
    }

    private void onTheHeap(int row, int n) {
      saved.load(in.get(states + 1), row);
      load(kept, in.get(states + 2), row, hidden);
      load(dh, carried.getFirst(), n, hidden);
      add(in.getFirst(), row);
      if (states == 2) {
        load(dc, carried.getLast(), n, hidden);
      }
      math.backward(made, dh.values, dc.values, da.values, dq.values, h.values);
      store(dh, carried.getFirst(), n, hidden);
      if (states == 2) {
        store(dc, carried.getLast(), n, hidden);
      }
    }

    private void inMemory(LstmVectors by, int row, int n) {
      load(term, in.getFirst(), row, hidden);
      by.back(
          new LstmVectors.Saved(
              address(in.get(states + 1), row, width), address(in.get(states + 2), row, hidden)),
          before.values,
          term.values,
          address(carried.getFirst(), n, hidden),
          address(carried.getLast(), n, hidden),
          da.values,
          h.values);
    }

    /** Fetches the state that was kept of the step before. */
    private void before(int step, int n) {
      int earlier = steps.before(step);
      if (steps.has(earlier, n)) {
        load(before, in.get(states + 2), steps.row(earlier, n), hidden);
      } else {
        initial(0, n);
        store(before, allH, steps.row(step, n), hidden);
        initial(states - 1, n);
      }
    }

    private void initial(int which, int n) {
      if (steps.stateful()) {
        load(before, ofOp.get(5 + which), n, hidden);
      } else {
        System.arraycopy(zeros.values, 0, before.values, 0, hidden);
      }
    }

    /** The output of a step is what the one after it began with. */
    private void after(int step, int n) {
      int later = steps.after(step);
      if (steps.has(later, n)) {
        all.round(h, hidden);
        store(h, allH, steps.row(later, n), hidden);
      }
    }

    /** What comes back through the weights. */
    private void addProduct(int n) {
      load(dh, carried.getFirst(), n, hidden);
      add(product, n);
      store(dh, carried.getFirst(), n, hidden);
    }

    /** dh += from[row]. */
    private void add(Operand from, int row) {
      load(term, from, row, hidden);
      for (int j = 0; j < hidden; j++) {
        dh.values[j] += term.values[j];
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
