package dev.halfcell.amp.precision;

import dev.halfcell.nn.Cell;
import dev.halfcell.op.Op;
import dev.halfcell.op.PathPattern;
import dev.halfcell.op.loss.Loss;
import dev.halfcell.op.normalization.RunningAverage;
import dev.halfcell.op.precision.Precision;
import dev.halfcell.op.update.Update;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.stream.Stream;

/** What an entry of a {@link Selection} means: cells of a class, ops of a class, or paths. */
public sealed interface Selector {
  /** The entry in words, as {@code explain} prints it. */
  String text();

  /** Cells of this class, those of its subclasses included. */
  record Cells(Class<? extends Cell> type) implements Selector {
    @Override
    public String text() {
      return type.getSimpleName();
    }
  }

  /** An op, wherever it is used in a forward pass. */
  record Ops(Class<? extends Op> type) implements Selector {
    /** Gradients follow what was recorded, and FP32 is what the rest is for. */
    public Ops {
      boolean fixed =
          Stream.of(Loss.class, Precision.class, Update.class, RunningAverage.class)
              .anyMatch(each -> each.isAssignableFrom(type));
      boolean gradient = type.getSimpleName().endsWith("Gradient");
      ArgumentException.require(
          type.isRecord() && !fixed && !gradient,
          "precision list",
          "an op of a forward pass that is not fp32 under every plan",
          type.getSimpleName());
    }

    /** The op of this name, which is that of its record. */
    static Ops named(String name) {
      return new Ops(
          records(Op.class)
              .filter(type -> type.getSimpleName().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ArgumentException(
                          new Problem(
                              "precision list",
                              "",
                              "a path pattern that begins with / or **, or the name of an op",
                              "'" + name + "'",
                              "Give a cell by its class: allow(Dense.class)."))));
    }

    private static Stream<Class<? extends Op>> records(Class<? extends Op> type) {
      return type.isSealed()
          ? Stream.of(type.getPermittedSubclasses())
              .flatMap(each -> records(each.asSubclass(Op.class)))
          : Stream.of(type);
    }

    @Override
    public String text() {
      return "op " + type.getSimpleName();
    }
  }

  /** The cells at paths of this form. */
  record Paths(PathPattern pattern) implements Selector {
    @Override
    public String text() {
      return pattern.text();
    }
  }

  /** A class of cells or an op. */
  static Selector of(Class<?> type) {
    if (Cell.class.isAssignableFrom(type)) {
      return new Cells(type.asSubclass(Cell.class));
    }
    ArgumentException.require(
        Op.class.isAssignableFrom(type),
        "precision list",
        "a class of cells or of ops",
        type.getSimpleName());
    return new Ops(type.asSubclass(Op.class));
  }

  /** A path pattern such as {@code /encoder/**}, or the name of an op such as {@code Exp}. */
  static Selector of(String text) {
    return text.startsWith("/") || text.startsWith("**")
        ? new Paths(new PathPattern(text))
        : Ops.named(text);
  }
}
