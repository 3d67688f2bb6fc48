package dev.halfcell.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns as wide as their widest cell. Made and printed on one thread. */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; it may be shorter than others. */
  public Table row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  /** The rows as lines, without spaces at their ends. */
  public List<String> lines() {
    return rows.stream().map(this::line).toList();
  }

  private String line(List<String> row) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      line.append(cell).append(" ".repeat(width(column) - cell.length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> column < row.size())
        .mapToInt(row -> row.get(column).length())
        .max()
        .orElse(0);
  }
}
