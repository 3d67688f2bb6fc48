package dev.halfcell.train;

import dev.halfcell.backend.Variable;
import dev.halfcell.data.SafeTensors;
import dev.halfcell.disk.Disk;
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
  void write(TrainState state, Disk disk, Path file, Map<String, String> metadata) {
    try (TensorScope scope = TensorScope.open()) {
      SequencedMap<String, Tensor> tensors = new LinkedHashMap<>();
      variables(state)
          .forEach(
              (key, variable) -> {
                Tensor value = state.read(variable);
                tensors.put(key, as(inFile(value.spec()), value, scope));
              });
      new SafeTensors(tensors, metadata).write(disk, file);
    }
  }

  private TensorSpec inFile(TensorSpec inState) {
    return wide ? inState.as(inState.dtype().wide()) : inState;
  }

  private static Tensor as(TensorSpec spec, Tensor value, TensorScope scope) {
    return value.spec().equals(spec) ? value : Tensor.of(scope, spec, value.toArray());
  }

  /** Puts the tensors of a file into a state: all of them or, where any differs, none. */
  void read(TrainState state, SafeTensors contents, Path file, Differences differences) {
    SequencedMap<String, Variable> variables = variables(state);
    Map<String, TensorSpec> here = new LinkedHashMap<>();
    variables.forEach((key, variable) -> here.put(key, inFile(state.read(variable).spec())));
    Map<String, TensorSpec> there = new LinkedHashMap<>();
    contents.tensors().forEach((key, tensor) -> there.put(key, tensor.spec()));
    differences
        .compare(here, there)
        .refuse(subject, file, "Take the file of a run of this network.");
    try (TensorScope scope = TensorScope.open()) {
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
}
