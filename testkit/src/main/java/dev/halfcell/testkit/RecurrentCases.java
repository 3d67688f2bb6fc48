package dev.halfcell.testkit;

import static dev.halfcell.testkit.Argument.data;
import static dev.halfcell.testkit.Argument.fixed;
import static dev.halfcell.testkit.Argument.wide;

import dev.halfcell.op.recurrent.Gru;
import dev.halfcell.op.recurrent.GruGradient;
import dev.halfcell.op.recurrent.Lstm;
import dev.halfcell.op.recurrent.LstmGradient;
import dev.halfcell.op.recurrent.Pass;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Recurrent ops over short sequences. Weights are as small as those that training starts from:
 * larger ones make a layer chaotic, so that rounding grows from step to step on every backend.
 */
final class RecurrentCases {
  private final Generator g;
  private final Pass pass;
  private final int time;
  private final int batch;
  private final int inputs;
  private final int hidden;

  static Stream<OpCase> draw(Generator g) {
    // small ones too, which central differences can go through
    return Stream.of(
            new RecurrentCases(g, g.integer(1, 7), g.integer(1, 5), g.size(), g.size()),
            new RecurrentCases(g, 4, 2, 3, 2))
        .flatMap(RecurrentCases::cases);
  }

  private RecurrentCases(Generator g, int time, int batch, int inputs, int hidden) {
    this.g = g;
    pass = new Pass(g.flag(), g.flag(), g.flag());
    this.time = time;
    this.batch = batch;
    this.inputs = inputs;
    this.hidden = hidden;
  }

  private Stream<OpCase> cases() {
    List<Argument> lstm = arguments(4, 2);
    List<Argument> gru = arguments(3, 1);
    return Stream.of(
        of(new OpCase(new Lstm(pass), lstm, false, leading(lstm), 1)),
        of(new OpCase(new LstmGradient(pass, flags(lstm)), before(2, lstm), false, 0, 1)),
        of(new OpCase(new Gru(pass), gru, false, leading(gru), 1)),
        of(new OpCase(new GruGradient(pass, flags(gru)), before(1, gru), false, 0, 1)));
  }

  private OpCase of(OpCase drawn) {
    return drawn.summing(Math.max(time * batch, 4 * hidden + inputs));
  }

  private int leading(List<Argument> arguments) {
    return arguments.size() - (pass.lengths() ? 1 : 0);
  }

  private List<Boolean> flags(List<Argument> arguments) {
    return IntStream.range(0, leading(arguments)).mapToObj(_ -> g.flag()).toList();
  }

  private List<Argument> arguments(int gates, int states) {
    Fill small = Fill.normals().map(v -> v / Math.sqrt(hidden + 1.0) / 2);
    int rows = gates * hidden;
    List<Argument> arguments = new ArrayList<>();
    arguments.add(data(Shape.of(time, batch, inputs), Fill.normals()));
    arguments.add(data(Shape.of(rows, inputs), small));
    arguments.add(data(Shape.of(rows, hidden), small));
    arguments.add(data(Shape.of(rows), small));
    arguments.add(data(Shape.of(rows), small));
    if (pass.stateful()) {
      arguments.addAll(Collections.nCopies(states, state()));
    }
    if (pass.lengths()) {
      arguments.add(fixed(DType.INT32, Shape.of(batch), Fill.labels(time + 1)));
    }
    return arguments;
  }

  private Argument state() {
    return data(Shape.of(batch, hidden), Fill.normals());
  }

  /** Gradients of the results, gates and states, and the inputs of the op. */
  private List<Argument> before(int states, List<Argument> arguments) {
    List<Argument> all = new ArrayList<>();
    all.add(data(Shape.of(time, batch, hidden), Fill.normals()));
    all.addAll(Collections.nCopies(states, state()));
    Fill gate = Fill.normals().map(v -> 1 / (1 + Math.exp(-v)));
    all.add(wide(Shape.of(time, batch, 4 * hidden), gate));
    all.add(wide(Shape.of(time, batch, hidden), Fill.normals()));
    all.addAll(arguments);
    return all;
  }
}
