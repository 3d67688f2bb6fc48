package dev.halfcell.amp.precision;

import dev.halfcell.nn.Cell;
import dev.halfcell.op.CellPath;
import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.tensor.ArgumentException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A user's own lists. An entry means a cell with all below it, or an op. It goes before what their
 * class asks for and behind a cell's own flags; of what two lists say, deny counts, then allow. A
 * value: each method gives a changed copy.
 *
 * <p>Source: Apex, amp.register_half_function, register_float_function and
 * register_promote_function; MindSpore, amp.custom_mixed_precision.
 *
 * @param allow half
 * @param deny FP32; a cell's result is rounded to half on leaving where the cell around it is half
 * @param promote the widest floating input
 */
public record PrecisionLists(Selection allow, Selection deny, Selection promote) {
  /** An entry of a list. */
  public record Hit(PrecisionClass list, Selector entry) {
    /** Whether what this list says goes before, or beside, what that one says. */
    boolean outranks(Hit other) {
      return rank(list) <= rank(other.list);
    }

    private static int rank(PrecisionClass list) {
      return switch (list) {
        case DENY -> 0;
        case ALLOW -> 1;
        case INFER -> 2;
        case FULL, KEEP -> throw new AssertionError("no list of " + list);
      };
    }

    /** The name of the list. */
    public String name() {
      return list == PrecisionClass.INFER ? "promote" : list.name().toLowerCase(Locale.ROOT);
    }
  }

  public PrecisionLists {
    requireApart(allow, "allow", deny, "deny");
    requireApart(allow, "allow", promote, "promote");
    requireApart(deny, "deny", promote, "promote");
  }

  private static void requireApart(Selection a, String first, Selection b, String second) {
    Set<Selector> both =
        a.entries().stream().filter(b.entries()::contains).collect(Collectors.toSet());
    ArgumentException.require(
        both.isEmpty(),
        "precision lists",
        "each entry on one list",
        both.stream().map(Selector::text).collect(Collectors.joining(", "))
            + (" on " + first + " and " + second));
  }

  /** No entries: everything as its class asks. */
  public static PrecisionLists none() {
    return new PrecisionLists(Selection.none(), Selection.none(), Selection.none());
  }

  /** With these on the allow list too. */
  public PrecisionLists allow(Class<?>... types) {
    return new PrecisionLists(allow.and(types), deny, promote);
  }

  /** With these path patterns and names of ops on the allow list too. */
  public PrecisionLists allow(String... names) {
    return new PrecisionLists(allow.and(names), deny, promote);
  }

  /** With these on the deny list too. */
  public PrecisionLists deny(Class<?>... types) {
    return new PrecisionLists(allow, deny.and(types), promote);
  }

  /** With these path patterns and names of ops on the deny list too. */
  public PrecisionLists deny(String... names) {
    return new PrecisionLists(allow, deny.and(names), promote);
  }

  /** With these on the promote list too. */
  public PrecisionLists promote(Class<?>... types) {
    return new PrecisionLists(allow, deny, promote.and(types));
  }

  /** With these path patterns and names of ops on the promote list too. */
  public PrecisionLists promote(String... names) {
    return new PrecisionLists(allow, deny, promote.and(names));
  }

  /** The entry that decides about a cell. */
  Optional<Hit> of(Cell cell, CellPath at) {
    return hits()
        .filter(
            hit ->
                switch (hit.entry()) {
                  case Selector.Cells(var type) -> type.isInstance(cell);
                  case Selector.Paths(var pattern) -> pattern.matches(at);
                  case Selector.Ops _ -> false;
                })
        .findFirst();
  }

  /** What the lists make of an op. */
  Optional<Hit> of(Op op) {
    return hits()
        .filter(hit -> hit.entry() instanceof Selector.Ops(var type) && type.isInstance(op))
        .findFirst();
  }

  /** The entries in the order in which they count. */
  Stream<Hit> hits() {
    return Stream.of(
            on(PrecisionClass.DENY, deny),
            on(PrecisionClass.ALLOW, allow),
            on(PrecisionClass.INFER, promote))
        .flatMap(hits -> hits);
  }

  private static Stream<Hit> on(PrecisionClass list, Selection selection) {
    return selection.entries().stream().map(entry -> new Hit(list, entry));
  }
}
