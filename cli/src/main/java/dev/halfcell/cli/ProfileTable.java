package dev.halfcell.cli;

import dev.halfcell.backend.StepPart;
import dev.halfcell.cli.text.Figures;
import dev.halfcell.cli.text.Table;
import dev.halfcell.zoo.profile.Profile;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Where the time of measured steps went, as text: all figures are of one step, on average. */
record ProfileTable(Profile profile) {
  /** How many ops and cells are listed; the others are summed up. */
  private static final int MOST = 25;

  private static final double MILLION = 1e6;

  List<String> lines() {
    return Stream.of(
            List.of("", heading()),
            parts(),
            rows("op", profile.ops()),
            rows("cell", profile.cells()))
        .flatMap(List::stream)
        .toList();
  }

  private String heading() {
    return "profile of "
        + profile.steps()
        + (profile.steps() == 1 ? " step" : " steps")
        + " from step "
        + profile.first()
        + ", figures of one step on average: "
        + milliseconds(profile.total())
        + " ms";
  }

  private List<String> parts() {
    Table table = new Table().row("part", "ms", "share");
    table.row("data", milliseconds(profile.data()), share(profile.data()));
    for (StepPart part : StepPart.values()) {
      long nanos = profile.of(part);
      table.row(part.name().toLowerCase(Locale.ROOT), milliseconds(nanos), share(nanos));
    }
    return behindALine(table.row("rest", milliseconds(profile.rest()), share(profile.rest())));
  }

  private List<String> rows(String of, List<Profile.Row> rows) {
    Table table = new Table().row(of, "ms", "share", "tasks", "GFLOP/s");
    rows.stream()
        .limit(MOST)
        .forEach(
            row ->
                table.row(
                    row.name(),
                    milliseconds(row.nanos()),
                    share(row.nanos()),
                    Figures.count((double) row.tasks() / profile.steps()),
                    row.flops() == 0 ? "" : Figures.fixed((double) row.flops() / row.nanos(), 1)));
    if (rows.size() > MOST) {
      List<Profile.Row> others = rows.subList(MOST, rows.size());
      long nanos = others.stream().mapToLong(Profile.Row::nanos).sum();
      long tasks = others.stream().mapToLong(Profile.Row::tasks).sum();
      table.row(
          "(" + others.size() + " others)",
          milliseconds(nanos),
          share(nanos),
          Figures.count((double) tasks / profile.steps()));
    }
    return behindALine(table);
  }

  private static List<String> behindALine(Table table) {
    return Stream.concat(Stream.of(""), table.lines().stream()).toList();
  }

  private String milliseconds(long nanos) {
    return Figures.fixed(nanos / MILLION / profile.steps(), 3);
  }

  private String share(long nanos) {
    return Figures.fixed(100.0 * nanos / profile.total(), 1) + " %";
  }
}
