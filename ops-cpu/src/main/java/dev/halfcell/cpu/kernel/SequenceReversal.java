package dev.halfcell.cpu.kernel;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.shape.ReverseSequence;
import dev.halfcell.tensor.Elements;
import dev.halfcell.tensor.Shape;
import java.lang.foreign.MemorySegment;

/** Copies runs of what lies below batch and time, each from the step that it is reversed from. */
final class SequenceReversal {
  private final ReverseSequence op;
  private final CellPath at;
  private final Operand x;
  private final Operand lengths;
  private final Operand y;
  private final int samples;
  private final int steps;
  private final int runsPerSample; // from a sample to the next, in runs
  private final int runsPerStep;
  private final long runBytes;

  private SequenceReversal(ReverseSequence op, Operand x, Operand lengths, Operand y, CellPath at) {
    this.op = op;
    this.at = at;
    this.x = x;
    this.lengths = lengths;
    this.y = y;
    Shape shape = x.spec().shape();
    int last = Math.max(op.batchAxis(), op.timeAxis());
    long run = new Shape(shape.dims().subList(last + 1, shape.rank())).size();
    samples = shape.dim(op.batchAxis());
    steps = shape.dim(op.timeAxis());
    runsPerSample = Math.toIntExact(Steps.whole(shape).along().get(op.batchAxis()) / run);
    runsPerStep = Math.toIntExact(Steps.whole(shape).along().get(op.timeAxis()) / run);
    runBytes = run * x.dtype().bytes();
  }

  static void stage(
      KernelBuilder builder,
      ReverseSequence op,
      Operand x,
      Operand lengths,
      Operand y,
      CellPath at) {
    SequenceReversal reversal = new SequenceReversal(op, x, lengths, y, at);
    int runs = Math.toIntExact(x.spec().bytes() / reversal.runBytes);
    Split split = Split.of(runs, 1, builder.threads());
    builder.stage(split.parts(), part -> reversal.run(split.from(part), split.from(part + 1)));
  }

  private void run(int begin, int end) {
    MemorySegment from = x.region().data();
    MemorySegment to = y.region().data();
    for (int run = begin; run < end; run++) {
      int step = run / runsPerStep % steps;
      int length = length(run / runsPerSample % samples);
      long source = run + (long) (ReverseSequence.source(step, length) - step) * runsPerStep;
      MemorySegment.copy(from, source * runBytes, to, run * runBytes, runBytes);
    }
  }

  private int length(int sample) {
    double length = Elements.get(lengths.region().data(), lengths.dtype(), sample);
    return ReverseSequence.requireLength(op, at, length, sample, steps);
  }
}
