package dev.halfcell.amp.precision;

import dev.halfcell.nn.Cell;
import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What matrix products and convolutions of half keep their running sums in, in all passes: FP32, or
 * a half, to which the sum is rounded after each product. An entry means cells and all below them.
 * Of two entries that mean a cell, the one counts whose cells are all among the other's. A value:
 * each method gives a changed copy.
 *
 * @param everywhere the dtype where no entry says otherwise
 * @param entries the dtype of cells of a class, or at paths
 */
public record Partials(DType everywhere, Map<Selector, DType> entries) {
  /** An entry with all cells that it means. */
  private record Meant(Selector entry, DType dtype, Set<CellPath> cells) {
    boolean narrowerThan(Meant other) {
      return cells.size() < other.cells.size() && other.cells.containsAll(cells);
    }
  }

  public Partials {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    Stream.concat(Stream.of(everywhere), entries.values().stream()).forEach(Partials::require);
    entries.keySet().forEach(Partials::requireCells);
  }

  private static void require(DType dtype) {
    ArgumentException.require(
        dtype == DType.FP32 || dtype.half(), "partials", "fp32, fp16 or bf16", dtype.label());
  }

  private static void requireCells(Selector entry) {
    ArgumentException.require(
        !(entry instanceof Selector.Ops), "partials", "a class of cells or a path", entry.text());
  }

  /** FP32. */
  public static Partials full() {
    return new Partials(DType.FP32, Map.of());
  }

  /** With this dtype where no entry says otherwise. */
  public Partials everywhere(DType dtype) {
    return new Partials(dtype, entries);
  }

  /** With this dtype in the cells that are meant, and all below them. */
  public Partials with(Selector meant, DType dtype) {
    ArgumentException.require(
        !entries.containsKey(meant), "partials", "one dtype for " + meant.text(), "a second");
    Map<Selector, DType> all = new LinkedHashMap<>(entries);
    all.put(meant, dtype);
    return new Partials(everywhere, all);
  }

  /**
   * The dtype at each path of a network.
   *
   * @throws ArgumentException where an entry means no cell, or two contradict each other
   */
  Map<CellPath, DType> at(Map<Cell, CellPath> network) {
    List<Meant> rising =
        entries.entrySet().stream()
            .map(each -> new Meant(each.getKey(), each.getValue(), cells(each.getKey(), network)))
            .sorted(Comparator.comparingInt(each -> each.cells().size()))
            .toList();
    Map<CellPath, DType> dtypes = new LinkedHashMap<>();
    network.values().forEach(at -> dtypes.put(at, at(at, rising)));
    return dtypes;
  }

  private DType at(CellPath at, List<Meant> rising) {
    List<Meant> mine = rising.stream().filter(each -> each.cells().contains(at)).toList();
    if (mine.isEmpty()) {
      return everywhere;
    }
    Meant counts = mine.getFirst();
    for (Meant other : mine) {
      if (other.dtype() != counts.dtype() && !counts.narrowerThan(other)) {
        throw new ArgumentException(
            new Problem(
                "partials",
                at.text(),
                "one dtype",
                said(counts) + " and " + said(other) + ", neither of which is a part of the other",
                "Give this path a dtype of its own."));
      }
    }
    return counts.dtype();
  }

  private static String said(Meant entry) {
    return entry.dtype().label() + " by " + entry.entry().text();
  }

  /** The cells that an entry names, with all below them. */
  private static Set<CellPath> cells(Selector entry, Map<Cell, CellPath> network) {
    Set<CellPath> named =
        network.entrySet().stream()
            .filter(each -> names(entry, each.getKey(), each.getValue()))
            .map(Map.Entry::getValue)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (named.isEmpty()) {
      throw new ArgumentException(
          new Problem(
              "partials",
              "",
              "cells of the network",
              "'" + entry.text() + "', which matches none",
              "explain() lists the paths and classes of all cells."));
    }
    return network.values().stream()
        .filter(at -> named.stream().anyMatch(around -> Parts.holds(around, at)))
        .collect(Collectors.toSet());
  }

  private static boolean names(Selector entry, Cell cell, CellPath at) {
    return switch (entry) {
      case Selector.Cells(var type) -> type.isInstance(cell);
      case Selector.Paths(var pattern) -> pattern.matches(at);
      case Selector.Ops _ -> false;
    };
  }

  /** What is not FP32, and what is exempted from it, a line each. */
  Stream<String> lines() {
    Stream<String> all =
        everywhere.half()
            ? Stream.of("products of half are summed in " + told(everywhere))
            : none();
    return Stream.concat(
        all,
        entries.entrySet().stream()
            .map(
                each ->
                    "products of half are summed in %s: %s"
                        .formatted(told(each.getValue()), each.getKey().text())));
  }

  private static Stream<String> none() {
    return Stream.empty();
  }

  private static String told(DType dtype) {
    return dtype.label() + " partials";
  }
}
