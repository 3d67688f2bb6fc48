package dev.halfcell.zoo.job;

import dev.halfcell.optim.Adagrad;
import dev.halfcell.optim.Adam;
import dev.halfcell.optim.AdamW;
import dev.halfcell.optim.Lamb;
import dev.halfcell.optim.Lars;
import dev.halfcell.optim.Momentum;
import dev.halfcell.optim.ParameterOptimizer;
import dev.halfcell.optim.RmsProp;
import dev.halfcell.optim.Sgd;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.zoo.TrainingDefaults;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What moves parameters. Its name may stand for the whole. Plain descent takes momentum and decay
 * from the network's recipe, which is made for it; the others have defaults of their own, but for a
 * momentum.
 *
 * @param name which it is; none means momentum
 * @param learningRate before the schedule; none means the recipe's
 * @param weightDecay of every parameter
 */
@ShortForm("name")
public record OptimizerSpecification(
    @Key("Which it is.") Optional<Name> name,
    @Key(value = "The learning rate, before the schedule.", positive = true)
        Optional<Double> learningRate,
    @Key(value = "The decay of every parameter.", least = 0) Optional<Double> weightDecay,
    @Key(value = "Of momentum, lars and rmsprop.", least = 0) Optional<Double> momentum,
    @Key("Of momentum: Nesterov's form.") Optional<Boolean> nesterov,
    @Key("Of momentum: whether the decay stays out of the momentum.") Optional<Boolean> decoupled,
    @Key(value = "Of adam, adamw and lamb.", least = 0) Optional<Double> beta1,
    @Key(value = "Of adam, adamw and lamb.", least = 0) Optional<Double> beta2,
    @Key(value = "Of adam, adamw, lamb, rmsprop and adagrad.", least = 0) Optional<Double> epsilon,
    @Key(value = "Of lars: the trust coefficient.", least = 0) Optional<Double> trust,
    @Key(value = "Of rmsprop.", least = 0) Optional<Double> smoothing,
    @Key("Of rmsprop: whether the mean is taken off.") Optional<Boolean> centered,
    @Key(value = "Of adagrad: where the sums of squares start.", least = 0)
        Optional<Double> initial) {
  /** The optimizers; the constants are spelled as users write them. */
  public enum Name {
    momentum,
    sgd,
    adam,
    adamw,
    lamb,
    lars,
    rmsprop,
    adagrad
  }

  private static List<String> keys(Name of) {
    List<String> own =
        switch (of) {
          case momentum -> List.of("momentum", "nesterov", "decoupled");
          case sgd -> List.of();
          case adam, adamw, lamb -> List.of("beta1", "beta2", "epsilon");
          case lars -> List.of("momentum", "trust");
          case rmsprop -> List.of("momentum", "epsilon", "smoothing", "centered");
          case adagrad -> List.of("epsilon", "initial");
        };
    return Stream.concat(Stream.of("name", "learningRate", "weightDecay"), own.stream()).toList();
  }

  /** The keys that are said and not this optimizer's, with the keys that are. */
  Map<String, List<String>> strangers() {
    Map<String, List<String>> strangers = new TreeMap<>();
    List<String> known = keys(name.orElse(Name.momentum));
    RecordWriter.tree(this).propertyNames().stream()
        .filter(key -> !known.contains(key))
        .forEach(key -> strangers.put(key, known));
    return strangers;
  }

  /**
   * The optimizer at its first rate.
   *
   * @throws ArgumentException where a number makes no sense to it
   */
  ParameterOptimizer optimizer(TrainingDefaults recipe) {
    double rate = learningRate.orElse(recipe.learningRate());
    ParameterOptimizer usual = usual(rate, recipe);
    return weightDecay.map(usual::withWeightDecay).orElse(usual);
  }

  private ParameterOptimizer usual(double rate, TrainingDefaults recipe) {
    double kept = momentum.orElse(recipe.momentum());
    return switch (name.orElse(Name.momentum)) {
      case momentum -> momentum(new Momentum(rate, kept), recipe);
      case sgd -> new Sgd(rate).withWeightDecay(recipe.weightDecay());
      case adam -> changed(new Adam(rate));
      case adamw -> changed(new AdamW(rate, 0.01));
      case lamb -> changed(new Lamb(rate));
      case lars -> changed(new Lars(rate, kept));
      case rmsprop -> changed(new RmsProp(rate));
      case adagrad -> changed(new Adagrad(rate));
    };
  }

  private Momentum momentum(Momentum usual, TrainingDefaults recipe) {
    return new Momentum(
        usual.learningRate(),
        usual.momentum(),
        nesterov.orElse(usual.nesterov()),
        recipe.weightDecay(),
        decoupled.orElse(usual.decoupled()));
  }

  private Adam changed(Adam usual) {
    return new Adam(
        usual.learningRate(),
        beta1.orElse(usual.beta1()),
        beta2.orElse(usual.beta2()),
        epsilon.orElse(usual.epsilon()),
        usual.weightDecay());
  }

  private AdamW changed(AdamW usual) {
    return new AdamW(
        usual.learningRate(),
        beta1.orElse(usual.beta1()),
        beta2.orElse(usual.beta2()),
        epsilon.orElse(usual.epsilon()),
        usual.weightDecay());
  }

  private Lamb changed(Lamb usual) {
    return new Lamb(
        usual.learningRate(),
        beta1.orElse(usual.beta1()),
        beta2.orElse(usual.beta2()),
        epsilon.orElse(usual.epsilon()),
        usual.weightDecay());
  }

  private Lars changed(Lars usual) {
    return new Lars(
        usual.learningRate(), trust.orElse(usual.trust()), usual.momentum(), usual.weightDecay());
  }

  private RmsProp changed(RmsProp usual) {
    return new RmsProp(
        usual.learningRate(),
        smoothing.orElse(usual.smoothing()),
        epsilon.orElse(usual.epsilon()),
        momentum.orElse(usual.momentum()),
        centered.orElse(usual.centered()),
        usual.weightDecay());
  }

  private Adagrad changed(Adagrad usual) {
    return new Adagrad(
        usual.learningRate(),
        initial.orElse(usual.initial()),
        epsilon.orElse(usual.epsilon()),
        usual.weightDecay());
  }

  /** All that makes up this optimizer at this rate. */
  static OptimizerSpecification of(Name name, double learningRate, ParameterOptimizer optimizer) {
    ObjectTree tree = new ObjectTree().put("name", name.name()).put("learningRate", learningRate);
    RecordWriter.tree((Record) optimizer)
        .forEachEntry(
            (key, value) -> {
              if (keys(name).contains(key) && !key.equals("learningRate")) {
                tree.put(key, value.isBoolean() ? value.booleanValue() : value.doubleValue());
              }
            });
    return tree.as(OptimizerSpecification.class);
  }
}
