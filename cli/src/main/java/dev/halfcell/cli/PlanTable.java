package dev.halfcell.cli;

import dev.halfcell.backend.PlanReport;
import dev.halfcell.backend.PlannedTask;
import dev.halfcell.backend.StepPart;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A compiled step as text: a line for each task, then what they come to. */
record PlanTable(PlanReport plan) {
  private static final double GIGA = 1e9;

  String text() {
    return Stream.concat(tasks().lines().stream(), sums().stream())
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private Table tasks() {
    Table table =
        new Table()
            .row(
                "part",
                "cell",
                "op",
                "output",
                "bytes",
                "workspace",
                "GFLOP",
                "reorders",
                "kernel");
    plan.schedule().forEach(task -> table.row(row(task)));
    return table;
  }

  private static String[] row(PlannedTask task) {
    PlannedTask.Cost cost = task.cost();
    return new String[] {
      part(task.part()),
      task.at().text(),
      task.label(),
      task.out().stream().map(PlanTable::output).collect(Collectors.joining(", ")),
      Figures.bytes(cost.bytes()),
      cost.workspaceBytes() == 0 ? "" : Figures.bytes(cost.workspaceBytes()),
      cost.flops() == 0 ? "" : giga(cost.flops()),
      cost.reorders() == 0 ? "" : String.valueOf(cost.reorders()),
      task.kernel()
    };
  }

  private static String output(PlannedTask.Out out) {
    return out.layout().equals(PlannedTask.Out.ROW_MAJOR)
        ? out.spec().toString()
        : out.spec() + " " + out.layout();
  }

  private static String part(StepPart part) {
    return part.name().toLowerCase(Locale.ROOT);
  }

  private static String giga(long flops) {
    return Figures.fixed(flops / GIGA, 4);
  }

  private List<String> sums() {
    List<String> lines = new ArrayList<>();
    long reorders = plan.schedule().stream().mapToLong(task -> task.cost().reorders()).sum();
    lines.add(
        plan.schedule().size()
            + " tasks, "
            + giga(plan.flops())
            + " GFLOP, "
            + reorders
            + " reorders");
    for (StepPart part : StepPart.values()) {
      lines.add(share(part));
    }
    lines.add(memory());
    return lines;
  }

  private String share(StepPart part) {
    List<PlannedTask> tasks = plan.schedule().stream().filter(task -> task.part() == part).toList();
    long flops = tasks.stream().mapToLong(task -> task.cost().flops()).sum();
    long bytes = tasks.stream().mapToLong(task -> task.cost().bytes()).sum();
    return part(part)
        + ": "
        + tasks.size()
        + " tasks, "
        + giga(flops)
        + " GFLOP, "
        + Figures.bytes(bytes)
        + " read and written";
  }

  private String memory() {
    PlanReport.Memory memory = plan.memory();
    String bound =
        memory.bound().isPresent()
            ? "at least " + Figures.bytes(memory.bound().getAsLong()) + " by lifetimes"
            : "not planned by lifetimes";
    return "memory of the plan: "
        + Figures.bytes(memory.peak())
        + ", "
        + bound
        + "; activations "
        + Figures.bytes(memory.activations())
        + ", constants "
        + Figures.bytes(memory.constants())
        + "; beside it state "
        + Figures.bytes(memory.state())
        + ", heap "
        + Figures.bytes(memory.heap());
  }
}
