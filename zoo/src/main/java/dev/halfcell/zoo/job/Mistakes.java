package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What is wrong with a specification, collected so that it is told at once. One thread. */
final class Mistakes {
  static final String SUBJECT = "specification";

  private static final int TOLD = 10;

  private final List<Problem> found = new ArrayList<>();

  void add(String pointer, String expected, String got, String fix) {
    found.add(new Problem(SUBJECT, Shown.line(pointer), expected, got, fix));
  }

  /** Does what may be refused; a refusal becomes a mistake of the key at {@code pointer}. */
  void at(String pointer, Runnable action) {
    try {
      action.run();
    } catch (ArgumentException e) {
      Problem problem = e.problem();
      String subject = problem.subject().equals(SUBJECT) ? "" : problem.subject() + ": ";
      add(pointer, subject + problem.expected(), Shown.sentence(problem.got()), problem.fix());
    }
  }

  /** The value, or {@code otherwise} where it is refused. */
  <T> T at(String pointer, Supplier<T> value, T otherwise) {
    List<T> made = new ArrayList<>(List.of(otherwise));
    at(pointer, () -> made.set(0, value.get()));
    return made.getFirst();
  }

  boolean none() {
    return found.isEmpty();
  }

  List<Problem> all() {
    return List.copyOf(found);
  }

  /** Throws the first of them, which tells of the others too. */
  void require() {
    if (!found.isEmpty()) {
      throw new ArgumentException(together());
    }
  }

  private Problem together() {
    Problem first = found.getFirst();
    String others =
        found.stream()
            .skip(1)
            .limit(TOLD - 1L)
            .map(p -> " At %s: expected %s, got %s.".formatted(p.where(), p.expected(), p.got()))
            .collect(Collectors.joining());
    String more = found.size() > TOLD ? " And %d more.".formatted(found.size() - TOLD) : "";
    return new Problem(
        SUBJECT,
        first.where(),
        first.expected(),
        first.got(),
        (first.fix() + others + more).strip());
  }
}
