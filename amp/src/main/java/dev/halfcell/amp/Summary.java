package dev.halfcell.amp;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.nn.Cell;
import dev.halfcell.nn.Promised;
import dev.halfcell.nn.Recording;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Executor;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * What a network is made of, for inputs of certain specs at a level: a row for each path. Figures
 * are a cell's own, without those of the cells below it, so that each column adds up. Immutable;
 * threads may share it.
 *
 * @param level the level it was made for
 * @param rows the cells, in the order of the network
 */
public record Summary(Level level, List<Row> rows) {
  /**
   * One cell.
   *
   * @param path where it stands
   * @param cell the name of its class
   * @param output what it yielded when it was first called; none where it never was
   * @param parameters how many numbers an optimizer trains in it
   * @param statistics how many numbers it updates itself
   * @param multiplyAdds the products that its own ops sum in one forward pass, all calls together
   */
  public record Row(
      CellPath path,
      String cell,
      Optional<TensorSpec> output,
      long parameters,
      long statistics,
      long multiplyAdds) {
    /** This row for a cell that wraps another: one row at one path, which counts once. */
    private Row wrapping(Row wrapped) {
      return new Row(
          path,
          wrapped.cell,
          wrapped.output,
          parameters + wrapped.parameters,
          statistics + wrapped.statistics,
          wrapped.multiplyAdds);
    }

    /** The memory of its output at the level, in bytes. */
    public long bytes() {
      return output.map(TensorSpec::bytes).orElse(0L);
    }
  }

  public Summary {
    rows = List.copyOf(rows);
  }

  /** The summary of {@code net} for these inputs, batch axis included, with half as FP16. */
  public static Summary of(Cell net, List<TensorSpec> inputs, Level level) {
    return of(net, inputs, level, AmpOptions.defaults());
  }

  /**
   * The summary of {@code net} for these inputs. The network is described in evaluation, on
   * promises of values: nothing is computed.
   *
   * @throws dev.halfcell.tensor.ShapeException where the inputs do not fit, naming the cell
   */
  public static Summary of(Cell net, List<TensorSpec> inputs, Level level, AmpOptions options) {
    ArgumentException.require(
        !inputs.isEmpty() && inputs.getFirst().rank() >= 1,
        "Summary",
        "inputs, the first with a batch axis",
        inputs);
    PrecisionPlan plan = PrecisionPlan.of(net, level, options.precision());
    Observer observer = new Observer();
    Executor executor = observer.watching(plan.over(observer::infer));
    Tensor samples = Tensor.symbol(TensorSpec.of(DType.INT64, inputs.getFirst().dim(0)));
    Recording recording = new Recording(executor, Promised.of(net), net, samples, false);
    recording.call(net, inputs.stream().map(Tensor::symbol).toArray(Tensor[]::new));
    Map<CellPath, Row> rows = new LinkedHashMap<>();
    net.paths().forEach((cell, path) -> rows.merge(path, observer.row(cell, path), Row::wrapping));
    return new Summary(level, List.copyOf(rows.values()));
  }

  /** The numbers that an optimizer trains. */
  public long parameters() {
    return sum(Row::parameters);
  }

  /** The products summed in one forward pass. */
  public long multiplyAdds() {
    return sum(Row::multiplyAdds);
  }

  /** The memory of all outputs of cells, in bytes. */
  public long bytes() {
    return sum(Row::bytes);
  }

  private long sum(ToLongFunction<Row> of) {
    return rows.stream().mapToLong(of).sum();
  }

  /** The names of what {@link #cells} gives for each row. */
  public static List<String> columns() {
    return List.of("path", "cell", "output", "dtype", "parameters", "multiply-adds", "bytes");
  }

  /** The rows as text, a list for each, in the order of {@link #columns}. */
  public List<List<String>> cells() {
    return rows.stream().map(Summary::cells).toList();
  }

  private static List<String> cells(Row row) {
    return List.of(
        row.path().text(),
        row.cell(),
        row.output().map(output -> output.shape().toString()).orElse("not called"),
        row.output().map(output -> output.dtype().label()).orElse("-"),
        count(row.parameters()),
        count(row.multiplyAdds()),
        count(row.bytes()));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
