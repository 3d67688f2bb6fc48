package dev.halfcell.amp.precision;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which cells and ops are meant, in the order in which they were named. A value: each method gives
 * a changed copy.
 */
public record Selection(Set<Selector> entries) {
  public Selection {
    entries = Collections.unmodifiableSet(new LinkedHashSet<>(entries));
  }

  /** Nothing. */
  public static Selection none() {
    return new Selection(Set.of());
  }

  /** Cells and ops of these classes. */
  public static Selection of(Class<?>... types) {
    return none().and(types);
  }

  /** Path patterns, and ops by name. */
  public static Selection of(String... names) {
    return none().and(names);
  }

  /** With cells and ops of these classes too. */
  public Selection and(Class<?>... types) {
    return with(Stream.of(types).map(Selector::of));
  }

  /** With these path patterns, and ops by name, too. */
  public Selection and(String... names) {
    return with(Stream.of(names).map(Selector::of));
  }

  private Selection with(Stream<Selector> more) {
    Set<Selector> all = new LinkedHashSet<>(entries);
    more.forEach(all::add);
    return new Selection(all);
  }

  /** Without these classes. */
  public Selection without(Class<?>... types) {
    return without(of(types));
  }

  /** With what this other one names. */
  Selection with(Selection other) {
    return with(other.entries.stream());
  }

  /** Without these path patterns and names of ops. */
  public Selection without(String... names) {
    return without(of(names));
  }

  /** Without what this other one names. */
  Selection without(Selection other) {
    Set<Selector> rest = new LinkedHashSet<>(entries);
    rest.removeAll(other.entries);
    return new Selection(rest);
  }

  /** Whether it names nothing. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }
}
