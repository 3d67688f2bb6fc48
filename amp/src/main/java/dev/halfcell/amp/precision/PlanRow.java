package dev.halfcell.amp.precision;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.DType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One cell of a plan in words.
 *
 * @param path where it stands
 * @param cell the name of its class
 * @param parameters the dtype that its own parameters are kept in; none where it has none
 * @param compute the dtype that it computes in, {@code per op} or {@code widest}
 * @param output the dtype that its output leaves in, or the same words
 * @param reason why
 */
public record PlanRow(
    CellPath path,
    String cell,
    Optional<DType> parameters,
    String compute,
    String output,
    String reason) {
  /** The same row with something to add to the reason. */
  PlanRow and(String more) {
    return new PlanRow(path, cell, parameters, compute, output, reason + "; " + more);
  }

  /** Rows as a table with a header. */
  static String table(List<PlanRow> rows) {
    int widest = rows.stream().mapToInt(row -> row.path().text().length()).max().orElse(1);
    String line = "%-" + Math.max(4, widest) + "s  %-24s  %-6s  %-7s  %-7s  %s\n";
    StringBuilder text = new StringBuilder();
    text.append(line.formatted("cell", "class", "params", "compute", "output", "reason"));
    for (PlanRow row : rows) {
      text.append(
          line.formatted(
              row.path().text(),
              row.cell(),
              row.parameters().map(DType::label).orElse("-"),
              row.compute(),
              row.output(),
              row.reason()));
    }
    return text.toString();
  }

  /** How many cells are half; where ops decide for themselves, a cell is neither. */
  static String inHalf(List<PlanRow> rows, long cells) {
    long each =
        rows.stream().filter(row -> List.of("per op", "widest").contains(row.compute())).count();
    // Checkpoints hold a hash of this text: its digits are the same in all languages.
    String rest = each == 0 ? "" : String.format(Locale.ROOT, ", %d op by op", each);
    return String.format(
        Locale.ROOT, "%d of %d cells compute in half%s\n", cells, rows.size(), rest);
  }

  /** Each note on a line of its own. */
  static String lines(List<String> notes) {
    return notes.stream().map(note -> note + "\n").collect(Collectors.joining());
  }
}
