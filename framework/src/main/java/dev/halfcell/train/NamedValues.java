package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.UsageException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Some values of a state under names in a file.
 *
 * @param subject what errors call it
 * @param belongs which variables it has
 * @param name a variable's name in the file
 */
record NamedValues(String subject, Predicate<Variable> belongs, Function<Variable, String> name) {
  void write(TrainState state, Path file, Map<String, String> metadata) {
    SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
    variables(state).forEach((key, variable) -> tensors.put(key, state.read(variable)));
    new SafeTensors(tensors, metadata).write(file);
  }

  void read(TrainState state, Path file, String format) {
    SequencedMap<String, Variable> variables = variables(state);
    try (TensorScope scope = TensorScope.open()) {
      SafeTensors contents = SafeTensors.read(file, scope);
      require(
          format.equals(contents.metadata().get("format")),
          file,
          "format " + format,
          contents.metadata());
      require(
          variables.keySet().equals(contents.tensors().keySet()),
          file,
          "the same names as this network",
          names(variables.keySet(), contents.tensors().keySet()));
      variables.forEach(
          (key, variable) ->
              require(
                  contents.tensor(key).spec().equals(state.read(variable).spec()),
                  file,
                  key + " of " + state.read(variable).spec(),
                  contents.tensor(key).spec()));
      variables.forEach((key, variable) -> state.assign(variable, contents.tensor(key)));
    }
  }

  private SequencedMap<String, Variable> variables(TrainState state) {
    SequencedMap<String, Variable> named = new LinkedHashMap<>();
    state.values().keySet().stream().filter(belongs).forEach(variable -> put(named, variable));
    return named;
  }

  /** A name that two values have would lose one of them. */
  private void put(Map<String, Variable> named, Variable variable) {
    Variable other = named.putIfAbsent(name.apply(variable), variable);
    if (other != null) {
      throw new UsageException(
          new Problem(
              subject,
              variable.path().text(),
              "a name in the file for each value",
              "'" + name.apply(variable) + "', which " + other.path() + " has too",
              "Rename a cell: a name with a dot reads like two names."));
    }
  }

  private void require(boolean holds, Path file, String expected, Object got) {
    if (!holds) {
      throw new DataException(
          new Problem(
              subject,
              file.toString(),
              expected,
              String.valueOf(got),
              "Take the file of a run of this network."));
    }
  }

  private static String names(Set<String> wanted, Set<String> found) {
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(found);
    Set<String> unknown = new TreeSet<>(found);
    unknown.removeAll(wanted);
    return "missing " + missing + ", unknown " + unknown;
  }
}
