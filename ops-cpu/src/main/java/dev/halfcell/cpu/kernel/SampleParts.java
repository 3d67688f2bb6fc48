package dev.halfcell.cpu.kernel;

import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.Layer;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What both passes of a recurrent layer work with: samples in as many parts as there are threads,
 * each of which takes its own through all steps, and room for numbers of each of them.
 */
final class SampleParts {
  final SampleSteps steps;
  final Split samples;
  final int states;

  /** The gates of a sample, all together. */
  final int width;

  /** What products of the dtype of x are computed in, and their factors kept in. */
  final DType computed;

  private final KernelBuilder builder;
  private final Layer layer;

  SampleParts(KernelBuilder builder, Layer layer, SampleSteps steps) {
    this.builder = builder;
    this.layer = layer;
    this.steps = steps;
    states = layer.states();
    width = layer.gates() * steps.hidden;
    computed = builder.computed(steps.dtype);
    samples = Split.of(steps.batch, 1, builder.threads());
  }

  /** Makes a part. */
  @FunctionalInterface
  interface Maker<P> {
    /** The part of this number, with gates of its own. */
    P part(int number, GateMath math);
  }

  /** All parts. */
  <P> List<P> make(Maker<P> maker) {
    return IntStream.range(0, samples.parts()).mapToObj(i -> maker.part(i, math())).toList();
  }

  /** Whether what goes into the gates is one sum of both products, so that it has one gradient. */
  boolean summed() {
    return switch (layer) {
      case Lstm _ -> true;
      case Gru _ -> false;
    };
  }

  private GateMath math() {
    return switch (layer) {
      case Lstm _ -> new LstmGates(steps.hidden);
      case Gru _ -> new GruGates(steps.hidden);
    };
  }

  /** Room for so many numbers of each sample. */
  Operand ofSamples(DType dtype, int columns) {
    return rows(dtype, steps.batch, columns);
  }

  /** Room for so many numbers of each step of each sample. */
  Operand ofSteps(DType dtype, int columns) {
    return rows(dtype, steps.time * steps.batch, columns);
  }

  private Operand rows(DType dtype, int rows, int columns) {
    return builder.workspace(TensorSpec.of(dtype, rows, columns), Layout.ROW_MAJOR);
  }

  /** Room on the heap for what goes into the gates of a sample. */
  Gates gates() {
    return new Gates(layer.gates(), steps.hidden);
  }

  /** Rounds factors as x is, where the room for them is wider and would not. */
  void round(Chunk factors, int columns) {
    if (computed != steps.dtype) {
      factors.round(steps.dtype, columns);
    }
  }

  /** The same of factors for each gate. */
  void round(Gates factors) {
    if (computed != steps.dtype) {
      factors.round(steps.dtype);
    }
  }

  static void load(Chunk chunk, Operand from, int row, int columns) {
    chunk.load(from, (long) row * columns, columns);
  }

  static void store(Chunk chunk, Operand to, int row, int columns) {
    chunk.store(to, (long) row * columns, columns);
  }

  static long address(Operand of, int row, int columns) {
    return of.address((long) row * columns, columns);
  }
}
