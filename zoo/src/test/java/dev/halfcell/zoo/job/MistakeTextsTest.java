package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.tensor.Problem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a mistake: what is expected, what is there, and what to do, as users read it. */
final class MistakeTextsTest {
  private static List<Problem> problems(String text) {
    return JobSpecification.problems(text.replace('\'', '"'));
  }

  /** {@code pointer: expected, got got. fix} of each, the quotes of JSON as single ones. */
  private static String told(String text) {
    return problems(text).stream()
        .map(p -> "%s: %s, got %s. %s".formatted(p.where(), p.expected(), p.got(), p.fix()).strip())
        .map(line -> line.replace('"', '\''))
        .collect(Collectors.joining(" / "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'device': 5 | /device: one of auto, cpu, gpu, reference, got 5.",
        "'device': 'tpu' | /device: one of auto, cpu, gpu, reference, got 'tpu'.",
        "'name': 5 | /name: a text of 1 to 128 characters, got 5.",
        "'name': '' | /name: a text of 1 to 128 characters, got ''.",
        "'network': {'name': 5} | /network/name: a text, got 5.",
        "'priority': 101 | /priority: a whole number from -100 to 100, got 101.",
        "'training': {'seed': 'x'} | /training/seed: a whole number from -9223372036854775808 to"
            + " 9223372036854775807, got 'x'.",
        "'training': {'epochs': 0} | /training/epochs: a whole number from 1 to 10000, got 0.",
        "'training': {'ema': 1.5} | /training/ema: a finite number from 0.0 to 1.0, got 1.5.",
        "'training': {'optimizer': {'learningRate': 0}} | /training/optimizer/learningRate: a"
            + " finite number above 0, got 0.",
        "'training': {'optimizer': {'nesterov': 1}} | /training/optimizer/nesterov: true or"
            + " false, got 1.",
        "'training': 1 | /training: an object, got 1.",
        "'training': {'optimizer': 5} | /training/optimizer: an object or one of momentum, sgd,"
            + " adam, adamw, lamb, lars, rmsprop, adagrad (its name), got 5.",
        "'training': {'clip': 'x'} | /training/clip: an object or a finite number above 0 (its"
            + " norm), got 'x'.",
        "'training': {'clip': {'a': 1}} | /training/clip/a: keys norm, value, got 'a'.",
        "'labels': 1 | /labels: an object of 0 to 64 keys, got 1.",
        "'labels': {'a': 1} | /labels/a: a text, got 1.",
        "'logs': 1 | /logs: one of tensorboard, csv, got 1.",
        "'logs': {} | /logs: a list of 0 to 2 entries, got an object with nothing in it.",
        "'logs': ['csv', 'csv', 'csv'] | /logs: a list of 0 to 2 entries, got a list:"
            + " ['csv','csv','csv'].",
        "'logs': ['csv', 'cvs'] | /logs/1: one of tensorboard, csv, got 'cvs'.",
        "'network': 'lenet5' | /network: an object or a list (its cells), got 'lenet5'.",
        "'network': [5] | /network/0: an object with the key cell, got 5.",
        "'network': [{}] | /network/0: an object with the key cell, got an object with nothing in"
            + " it.",
        "'network': [{'cell': 'Dense', 'inChannels': 1}] | /network/0/outChannels: a whole number"
            + " from 1 to 1048576, got none.",
        "'network': [{'cell': 'Sequential'}] | /network/0/cells: a list of 1 to 256 entries, got"
            + " none.",
        "'network': [{'cell': 'ReLU', 'alpha': 1}] | /network/0/alpha: no keys, got 'alpha'.",
        "'network': [{'cell': 'Conv2d', 'inChannels': 1, 'outChannels': 1, 'kernelSize': 0}] |"
            + " /network/0: kernelSize: numbers from 1 to 1048576, got [0].",
        "'checkpoint': {'keep': 1} | /checkpoint/keep: a whole number from 2 to 1000, got 1.",
      })
  void aValueIsNamedBesideWhatItMayBe(String keys, String text) {
    assertEquals(text, told("{" + keys + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'traning': {} | Did you mean training?",
        "'xyzzy': {} | ``",
        "'training': {'epoch': 1} | Did you mean epochs?",
        "'network': {'name': 'lenet6'} | Did you mean lenet5?",
        "'network': ['Dens'] | Did you mean Dense?",
        "'network': [{'cell': 'Conv3d'}] | Did you mean Conv2d?",
        "'network': [{'cell': 5}] | ``",
      })
  void whatIsNearlyRightIsGuessed(String keys, String fix) {
    assertEquals(fix, problems("{" + keys + "}").getFirst().fix());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | /network: a network, got none. Say {'name': 'lenet5'}, or a list of cells.",
        "{'training': {'epochs': 1, 'steps': 1}, 'network': {'name': 'lenet5'}} | /training/steps:"
            + " epochs or steps, got both. Leave one of them out.",
        "{'network': {'name': 'lenet5'}, 'dataset': {'name': 'mnist'}} | /dataset/name: one of"
            + " fashion-mnist, synthetic, got 'mnist'.",
        "{'network': {'name': 'lenet5'}, 'dataset': {'name': 'synthetic'}, 'training':"
            + " {'evaluation': 1, 'earlyStopping': 2}, 'checkpoint': {'best': 'test_loss'}} |"
            + " /training/evaluation: data with test samples, got synthetic data, which has none."
            + " Leave it out, or watch train_loss. / /training/earlyStopping/metric: data with test"
            + " samples, got synthetic data, which has none. Leave it out, or watch train_loss. /"
            + " /checkpoint/best/metric: data with test samples, got synthetic data, which has"
            + " none. Leave it out, or watch train_loss.",
        "{'network': {'name': 'lenet5'}, 'dataset': {'config': {'shape': [1, 28, 28]}}} |"
            + " /dataset/config/shape: [1, 32, 32], as lenet5 takes it, got [1, 28, 28].",
        "{'network': {'name': 'lenet5'}, 'training': {'optimizer': {'name': 'adam', 'momentum':"
            + " 0.9}}} | /training/optimizer/momentum: keys of this optimizer: name, learningRate,"
            + " weightDecay, beta1, beta2, epsilon, got 'momentum'. Leave it out, or name another"
            + " optimizer.",
        "{'network': {'name': 'lenet5'}, 'training': {'optimizer': {'name': 'adam', 'beta1': 1.5}}}"
            + " | /training/optimizer: beta1: at least 0 and below 1, got 1.5.",
        "{'network': {'name': 'lenet5'}, 'training': {'clip': {'norm': 1, 'value': 1}}} |"
            + " /training/clip/value: a norm or a value, got both. Leave one of them out.",
        "{'network': {'name': 'lenet5'}, 'training': {'earlyStopping': {'minDelta': 1}}} |"
            + " /training/earlyStopping/patience: how many measurements in a row, got none. Say"
            + " it.",
        "{'network': {'name': 'lenet5'}, 'training': {'epochs': 2, 'evaluation': 3}} |"
            + " /training/evaluation/everyEpochs: at most 2, as many as there are epochs, got 3."
            + " Measure more often.",
        "{'network': {'name': 'lenet5'}, 'precision': {'level': 'O0', 'options': {'castOverflow':"
            + " 'nan', 'stochasticRounding': true}}} | /precision/options/castOverflow: a level"
            + " that casts to half, got O0. / /precision/options/stochasticRounding: a level that"
            + " casts to half, got O0.",
        "{'network': {'name': 'lenet5'}, 'precision': {'level': 'O0', 'options': {'demotion':"
            + " {'after': 1, 'within': 2}}}} | /precision/options/demotion: demotion: a level at"
            + " which cells compute in half, got O0, where all are fp32. Leave demotion out.",
        "{'network': {'name': 'lenet5'}, 'logs': ['csv', 'csv']} | /logs: each once, got one of"
            + " them twice. Leave one of them out.",
        "{'network': {'name': 'lenet5'}, 'name': 'a\\nb', 'labels': {'': 'x', 'b': 'c\\nd'}} |"
            + " /name: a name that is not blank, without control characters, got 'a\\u000Ab'. /"
            + " /labels/: a key that is not blank, without control characters, got ''. /"
            + " /labels/b: text without control characters, got 'c\\u000Ad'.",
        "{'network': [{'cell': 'Flatten'}]} | /network: logits [64, 10] for the classes of"
            + " fashion-mnist, got [64, 1024]. Let the last cell yield as many.",
        "{'network': [{'cell': 'Flatten'}, {'cell': 'Dense', 'inChannels': 783, 'outChannels':"
            + " 10}], 'dataset': {'config': {'shape': [1, 28, 28]}}} | /network/1: Dense: 783 input"
            + " features, got [fp32[64, 784], fp32[10, 783], fp32[10]]. Each row of [64] has 784"
            + " features: check the previous cell's output features, or flatten before.",
      })
  void whatDoesNotFitTogetherSaysWhyAndWhatToDo(String document, String text) {
    assertEquals(text, told(document));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'pytroch' | one of none, fixed, dynamic, backoff, logmax, mindspore, pytorch, apex, keras,"
            + " tfkeras, nnabla, deepspeed, deepspeed-fused, got 'pytroch'.",
        "true | an object or one of none, fixed, dynamic, backoff, logmax, mindspore, pytorch,"
            + " apex, keras, tfkeras, nnabla, deepspeed, deepspeed-fused (its rule) or a finite"
            + " number above 0 (its scale), got true.",
        "{'rule': 'dynamic', 'scale': 8} | rule dynamic: keys init, up, down, window, min, max,"
            + " hysteresis, consecutive, clips, late, mostOverflowsInARow, givesUpAtFloor, got"
            + " scale.",
        "{'rule': 'fixed'} | scale: a number, with the rule fixed, got none.",
        "{'rule': 'none', 'up': 2} | rule none: no other key, got up.",
        "{'scale': 8, 'up': 2} | rule fixed: keys scale, dropsOverflows, got up.",
      })
  void aLossScaleSaysWhichKeysItsRuleHas(String scale, String text) {
    assertEquals(
        "/precision/lossScale: " + text,
        told("{'network': {'name': 'lenet5'}, 'precision': {'lossScale': " + scale + "}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'dtype': 'mixed', 'level': 'O2' | /precision/level: one of [dtype, loss_scale,"
            + " loss_scaling, automatic_loss_scaling, loss_scaling_params, encoder_params,"
            + " decoder_params, loss_params, iter_size], got an unknown key. Leave it out, or"
            + " correct it.",
        "'dtype': 'half' | /precision/dtype: one of [float32, float16, mixed], got 'half'.",
        "'dtype': 5 | /precision/dtype: a word in quotes, got 5.0. Quote it.",
        "'dtype': 'mixed', 'encoder_params': {'type': 1} | /precision/encoder_params/type: one of"
            + " [dtype], got an unknown key. Leave it out, or correct it.",
        "'dtype': 'mixed', 'loss_scaling': 'Backof' | /precision/loss_scaling: 'Backoff', 'LogMax'"
            + " or a number, got 'Backof'.",
        "'dtype': 'mixed', 'loss_scale': 5, 'loss_scaling': 'Backoff' | /precision/loss_scaling:"
            + " one loss scale, got two: [loss_scale, loss_scaling]. Keep one of them.",
        "'iter_size': 0 | /precision: accumulation: at least 1, got 0.",
      })
  void aMistakeInOpenSeq2SeqsSpellingHasItsOwnPlace(String keys, String text) {
    assertEquals(text, told("{'precision': {" + keys + "}}"));
  }

  /** A part of a network at O0 may be cast, and so may what an allow list names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'parts': {'/fc1': 'fp16'}, 'options': {'castOverflow': 'nan'}",
        "'options': {'castOverflow': 'nan', 'allow': ['/fc1']}",
        "'options': {'castOverflow': 'nan', 'castModelType': 'fp16'}",
        "'options': {'castOverflow': 'inf', 'stochasticRounding': false}",
      })
  void whatCastsSomethingIsNotUseless(String keys) {
    assertEquals(
        "", told("{'network': {'name': 'lenet5'}, 'precision': {'level': 'O0', " + keys + "}}"));
  }

  @Test
  void accumulationIsSaidInOneSpelling() {
    assertEquals(
        "/precision/iter_size: no /training/accumulation beside it, got both. Leave one out.",
        told("{'precision': {'iter_size': 2}, 'training': {'accumulation': 2}}"));
  }

  @Test
  void anObjectHasAsManyKeysAsItMayHave() {
    String labels =
        IntStream.range(0, 64).mapToObj(i -> "'a" + i + "': ''").collect(Collectors.joining(", "));
    assertEquals(64, JobSpecification.ofJson(labels(labels)).labels().size());
    Problem refused = problems(labels(labels + ", 'b': ''")).getFirst();
    assertEquals("/labels", refused.where());
    assertEquals("an object of 0 to 64 keys", refused.expected());
  }

  private static String labels(String entries) {
    return ("{'labels': {" + entries + "}}").replace('\'', '"');
  }
}
