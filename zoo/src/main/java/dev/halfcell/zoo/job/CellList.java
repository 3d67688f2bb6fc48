package dev.halfcell.zoo.job;

import dev.halfcell.zoo.job.CombiningCell.Residual;
import dev.halfcell.zoo.job.CombiningCell.Sequential;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The cells of a network, and where in the specification each stands. */
record CellList(List<CellSpecification> cells) {
  private static final String NETWORK = "/network";

  /** Finds cells that cannot be made. */
  void check(Mistakes mistakes) {
    int count = count(cells);
    if (count > Limits.CELLS) {
      mistakes.add(NETWORK, "at most " + Limits.CELLS + " cells", String.valueOf(count), "");
      return;
    }
    check(cells, NETWORK, mistakes);
  }

  private static int count(List<CellSpecification> cells) {
    return cells.stream()
        .mapToInt(
            cell ->
                switch (cell) {
                  case Sequential(var inner) -> 1 + count(inner);
                  case Residual(var branch, var shortcut) -> 1 + count(branch) + count(shortcut);
                  default -> 1;
                })
        .sum();
  }

  private static void check(List<CellSpecification> cells, String at, Mistakes mistakes) {
    for (int i = 0; i < cells.size(); i++) {
      String pointer = Pointer.child(at, i);
      switch (cells.get(i)) {
        case Sequential(var inner) -> check(inner, pointer + "/cells", mistakes);
        case Residual(var branch, var shortcut) -> {
          check(branch, pointer + "/branch", mistakes);
          check(shortcut, pointer + "/shortcut", mistakes);
        }
        case CellSpecification cell -> mistakes.at(pointer, () -> cell.build());
      }
    }
  }

  /** The pointer to the cell at this path of the network, or to the part of it that there is. */
  String pointer(String path) {
    Deque<String> names =
        new ArrayDeque<>(Arrays.stream(path.split("/")).filter(name -> !name.isEmpty()).toList());
    return cells.isEmpty() ? NETWORK : pointer(cells, NETWORK, names);
  }

  private static String pointer(List<CellSpecification> cells, String at, Deque<String> names) {
    if (names.isEmpty() || !names.peek().matches("\\d{1,3}")) {
      return at;
    }
    int index = Integer.parseInt(names.pop());
    String pointer = Pointer.child(at, index);
    return switch (cells.get(index)) {
      case Sequential(var inner) -> pointer(inner, pointer + "/cells", names);
      case Residual(var branch, var shortcut) -> {
        String part = names.isEmpty() ? "" : names.pop();
        yield switch (part) {
          case "branch" -> pointer(branch, pointer + "/branch", names);
          case "shortcut" -> pointer(shortcut, pointer + "/shortcut", names);
          default -> pointer;
        };
      }
      default -> pointer;
    };
  }
}
