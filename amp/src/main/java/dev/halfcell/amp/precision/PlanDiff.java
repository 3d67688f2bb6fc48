package dev.halfcell.amp.precision;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What two plans of one network treat differently. A value.
 *
 * @param a the first plan
 * @param b the second plan
 * @param cells the cells that they treat differently, in the order of the network
 */
public record PlanDiff(PrecisionPlan a, PrecisionPlan b, List<Change> cells) {
  /** One cell in both plans. */
  public record Change(PlanRow a, PlanRow b) {}

  public PlanDiff {
    cells = List.copyOf(cells);
  }

  /** The difference; the plans have to be of the same network, or of two alike. */
  public static PlanDiff of(PrecisionPlan a, PrecisionPlan b) {
    Set<CellPath> once = new LinkedHashSet<>(a.cells().keySet());
    once.addAll(b.cells().keySet());
    once.removeIf(at -> a.cells().containsKey(at) && b.cells().containsKey(at));
    ArgumentException.require(
        once.isEmpty(), "plan diff", "two plans of one network", "cells in one alone: " + once);
    List<PlanRow> of = a.rows();
    List<PlanRow> to = b.rows();
    List<Change> changes = new ArrayList<>();
    for (PlanRow row : of) {
      PlanRow other =
          to.stream().filter(each -> each.path().equals(row.path())).findFirst().orElseThrow();
      if (!alike(a, b, row, other)) {
        changes.add(new Change(row, other));
      }
    }
    return new PlanDiff(a, b, changes);
  }

  /** By what is done, whatever the reason. */
  private static boolean alike(PrecisionPlan a, PrecisionPlan b, PlanRow row, PlanRow other) {
    return a.treatment(row.path()) == b.treatment(row.path())
        && row.compute().equals(other.compute())
        && row.output().equals(other.output())
        && decision(a, row).partialsTold().equals(decision(b, other).partialsTold())
        && row.parameters().equals(other.parameters());
  }

  /** A line for each cell that differs and for each note that only one has, then how many do. */
  public String text() {
    int path = width(cells.stream().map(each -> each.a().path().text()).toList(), "cell");
    int left = width(cells.stream().map(each -> told(a, each.a())).toList(), name(a));
    String line = "%-" + path + "s  %-24s  %-" + left + "s  %s%n";
    StringBuilder text = new StringBuilder();
    if (!cells.isEmpty()) {
      text.append(line.formatted("cell", "class", name(a), name(b)));
    }
    for (Change each : cells) {
      text.append(
          line.formatted(
              each.a().path().text(), each.a().cell(), told(a, each.a()), told(b, each.b())));
    }
    only(a, b).forEach(note -> text.append("%s, in the first plan alone%n".formatted(note)));
    only(b, a).forEach(note -> text.append("%s, in the second plan alone%n".formatted(note)));
    return text + "%d of %d cells differ%n".formatted(cells.size(), a.cells().size());
  }

  private static String name(PrecisionPlan plan) {
    return "level " + plan.level();
  }

  private static int width(List<String> texts, String header) {
    return Math.max(header.length(), texts.stream().mapToInt(String::length).max().orElse(0));
  }

  private static String told(PrecisionPlan plan, PlanRow row) {
    Decision decision = decision(plan, row);
    boolean throughout = decision.treatment() == Treatment.HALF_THROUGHOUT;
    String compute = throughout ? row.compute() + " throughout" : row.compute();
    String output = row.output().equals(row.compute()) ? "" : ", leaves " + row.output();
    String partials = decision.partialsTold().map(", "::concat).orElse("");
    return "%s%s%s (%s)".formatted(compute, output, partials, row.reason());
  }

  private static Decision decision(PrecisionPlan plan, PlanRow row) {
    return Objects.requireNonNull(plan.cells().get(row.path()));
  }

  private static List<String> only(PrecisionPlan plan, PrecisionPlan other) {
    return plan.notes().stream().filter(note -> !other.notes().contains(note)).toList();
  }
}
