package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.tensor.DataException;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.Tensor;
import dev.halfcell.tensor.TensorScope;
import dev.halfcell.tensor.TensorSpec;
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
 * @param wide whether what the state keeps in half is FP32 in the file
 * @param name a variable's name in the file
 */
record NamedValues(
    String subject, Predicate<Variable> belongs, boolean wide, Function<Variable, String> name) {
  void write(TrainState state, Path file, Map<String, String> metadata) {
    try (TensorScope scope = TensorScope.open()) {
      SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
      variables(state)
          .forEach(
              (key, variable) -> {
                Tensor value = state.read(variable);
                tensors.put(key, as(inFile(value.spec()), value, scope));
              });
      new SafeTensors(tensors, metadata).write(file);
    }
  }

  private TensorSpec inFile(TensorSpec inState) {
    return wide ? inState.as(inState.dtype().wide()) : inState;
  }

  private static Tensor as(TensorSpec spec, Tensor value, TensorScope scope) {
    return value.spec().equals(spec) ? value : Tensor.of(scope, spec, value.toArray());
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
                  contents.tensor(key).spec().equals(inFile(state.read(variable).spec())),
                  file,
                  key + " of " + inFile(state.read(variable).spec()),
                  contents.tensor(key).spec()));
      Map<Variable, Tensor> values = new LinkedHashMap<>();
      variables.forEach(
          (key, variable) -> {
            TensorSpec spec = state.read(variable).spec();
            Tensor value = as(spec, contents.tensor(key), scope);
            requireInRange(file, key, contents.tensor(key), value);
            values.put(variable, value);
          });
      values.forEach(state::assign);
    }
  }

  /** A number that half is too small for would be an infinity from here on. */
  private void requireInRange(Path file, String key, Tensor from, Tensor to) {
    for (int i = 0; from != to && i < to.spec().size(); i++) {
      if (Double.isFinite(from.at(i)) && !Double.isFinite(to.at(i))) {
        throw new DataException(
            new Problem(
                subject,
                file.toString(),
                key + " within " + to.dtype().label() + ", up to " + to.dtype().largest(),
                String.valueOf(from.at(i)),
                "Keep parameters in fp32 or bf16."));
      }
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
