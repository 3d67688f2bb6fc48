package dev.halfcell.zoo.profile;

import dev.halfcell.backend.StepPart;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the time of measured steps went, by part, op and cell. What is in none of them, such as
 * binding a batch and reading results, is the rest of a step.
 *
 * @param first the number of the first step
 * @param steps how many there were
 * @param total all of their time
 * @param data what of it was waited for data
 * @param parts what of it tasks of each part took
 * @param ops by what is computed, the longest first
 * @param cells by the cell on whose behalf, the longest first
 */
public record Profile(
    long first,
    int steps,
    long total,
    long data,
    Map<StepPart, Long> parts,
    List<Row> ops,
    List<Row> cells) {
  public Profile {
    parts = Map.copyOf(parts);
    ops = List.copyOf(ops);
    cells = List.copyOf(cells);
  }

  /**
   * Tasks that belong together.
   *
   * @param name of the op or cell
   * @param tasks how many ran in all steps
   * @param nanos how long they took
   * @param flops how many floating-point operations they did
   */
  public record Row(String name, long tasks, long nanos, long flops) {
    private Row plus(Row other) {
      return new Row(name, tasks + other.tasks, nanos + other.nanos, flops + other.flops);
    }
  }

  /** What tasks of a part took. */
  public long of(StepPart part) {
    return parts.getOrDefault(part, 0L);
  }

  /** What is neither a wait for data nor a task. */
  public long rest() {
    return total - data - parts.values().stream().mapToLong(Long::longValue).sum();
  }

  static Profile of(List<StepTimes> measured) {
    Map<StepPart, Long> parts = new EnumMap<>(StepPart.class);
    Map<String, Row> ops = new HashMap<>();
    Map<String, Row> cells = new HashMap<>();
    for (StepTimes step : measured) {
      for (TaskTime time : step.tasks()) {
        add(ops, time.task().label(), time);
        add(cells, time.task().at().text(), time);
        parts.merge(time.task().part(), time.nanos(), Long::sum);
      }
    }
    return new Profile(
        measured.getFirst().number(),
        measured.size(),
        measured.stream().mapToLong(StepTimes::nanos).sum(),
        measured.stream().mapToLong(StepTimes::dataNanos).sum(),
        parts,
        sorted(ops),
        sorted(cells));
  }

  private static void add(Map<String, Row> rows, String name, TaskTime time) {
    rows.merge(name, new Row(name, 1, time.nanos(), time.task().cost().flops()), Row::plus);
  }

  private static List<Row> sorted(Map<String, Row> rows) {
    return rows.values().stream()
        .sorted(Comparator.comparingLong(Row::nanos).reversed().thenComparing(Row::name))
        .toList();
  }
}
