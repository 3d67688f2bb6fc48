package dev.halfcell.backend;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a described step yields: tensors while described, slots in a graph, tensors again when a
 * plan has run.
 *
 * @param results what the caller gets; of a training step the loss comes first
 * @param apply a BOOL scalar: whether guarded variables are assigned; none means yes
 * @param assigns the new value of each variable, all of them computed before the first is assigned
 */
public record Outcome<T>(List<T> results, Optional<T> apply, Map<Variable, T> assigns) {
  public Outcome {
    results = List.copyOf(results);
  }

  /** Results alone, for evaluation. */
  public static <T> Outcome<T> of(List<T> results) {
    return new Outcome<>(results, Optional.empty(), Map.of());
  }

  /** The same outcome of other things. */
  public <R> Outcome<R> map(Function<T, R> to) {
    Map<Variable, R> mapped = new LinkedHashMap<>();
    assigns.forEach((variable, value) -> mapped.put(variable, to.apply(value)));
    return new Outcome<>(results.stream().map(to).toList(), apply.map(to), mapped);
  }
}
