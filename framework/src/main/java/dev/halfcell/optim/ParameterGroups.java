package dev.halfcell.optim;

import dev.halfcell.backend.Variable;
import dev.halfcell.op.update.Schedule;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.UsageException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An optimizer that moves some parameters otherwise or not at all. A parameter may be in several
 * groups as long as no two of them say the same of it: rate, decay, or that it is frozen, which
 * nothing else may be said of.
 *
 * @param rest how parameters move that no group says otherwise of
 * @param groups what is otherwise
 */
public record ParameterGroups(ParameterOptimizer rest, List<ParameterGroup> groups)
    implements Optimizer {
  public ParameterGroups {
    groups = List.copyOf(groups);
    groups.stream().flatMap(g -> g.decay().stream()).forEach(rest::withWeightDecay);
  }

  @Override
  public Schedule learningRate() {
    return rest.learningRate();
  }

  @Override
  public Optional<ParameterOptimizer> of(Variable parameter) {
    List<ParameterGroup> mine = matching(parameter);
    if (mine.stream().anyMatch(ParameterGroup::still)) {
      return Optional.empty();
    }
    ParameterOptimizer optimizer = rest;
    for (ParameterGroup group : mine) {
      if (group.rate().isPresent()) {
        optimizer = optimizer.withLearningRate(group.rate().get().from(rest.learningRate()));
      }
      if (group.decay().isPresent()) {
        optimizer = optimizer.withWeightDecay(group.decay().get());
      }
    }
    return Optional.of(optimizer);
  }

  private List<ParameterGroup> matching(Variable parameter) {
    return groups.stream().filter(group -> group.pattern().matches(parameter.path())).toList();
  }

  @Override
  public void require(Collection<Variable> parameters) {
    for (ParameterGroup group : groups) {
      if (parameters.stream().noneMatch(p -> group.pattern().matches(p.path()))) {
        throw new UsageException(
            new Problem(
                "parameter group",
                group.pattern().text(),
                "a pattern that matches a parameter",
                "none of " + parameters.stream().map(p -> p.path().text()).toList(),
                "Globs match whole paths: '/encoder/**', '**/bias'."));
      }
    }
    parameters.forEach(this::requireOneWord);
  }

  private void requireOneWord(Variable parameter) {
    List<ParameterGroup> mine = matching(parameter);
    boolean still = mine.stream().anyMatch(ParameterGroup::still);
    requireOne(parameter, mine, "a learning rate", group -> group.rate().isPresent());
    requireOne(parameter, mine, "a weight decay", group -> group.decay().isPresent());
    requireOne(parameter, mine, "that it is frozen", group -> still);
  }

  private static void requireOne(
      Variable parameter, List<ParameterGroup> mine, String what, Predicate<ParameterGroup> says) {
    List<String> saying = mine.stream().filter(says).map(group -> group.pattern().text()).toList();
    if (saying.size() > 1) {
      throw new UsageException(
          new Problem(
              "parameter group",
              parameter.path().text(),
              "one group that says " + what,
              saying.toString(),
              "Narrow the patterns until each parameter is given it once."));
    }
  }
}
