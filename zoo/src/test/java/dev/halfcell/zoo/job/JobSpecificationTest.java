package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.amp.precision.Level;
import dev.halfcell.op.precision.LossScale;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a specification takes and refuses, and where it says that a mistake is. */
final class JobSpecificationTest {
  private static final String LENET = "'network': {'name': 'lenet5'}";

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static String pointers(String json) {
    return JobSpecification.problems(json(json)).stream()
        .map(Problem::where)
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'epochs': 0 | /training/epochs",
        "'epochs': -1 | /training/epochs",
        "'epochs': 10001 | /training/epochs",
        "'epochs': 2147483648 | /training/epochs",
        "'epochs': 9223372036854775808 | /training/epochs",
        "'epochs': 1.5 | /training/epochs",
        "'epochs': 1.0 | /training/epochs",
        "'epochs': 1e2 | /training/epochs",
        "'epochs': '5' | /training/epochs",
        "'epochs': true | /training/epochs",
        "'epochs': [5] | /training/epochs",
        "'epochs': {} | /training/epochs",
        "'epochs': null | /training/epochs",
        "'epoch': 5 | /training/epoch",
        "'a/b~c': 5 | /training/a~1b~0c",
        "'epochs': 1, 'steps': 1 | /training/steps",
        "'batchSize': 0 | /training/batchSize",
        "'batchSize': 1000000000 | /training/batchSize",
        "'optimizer': 'lion' | /training/optimizer",
        "'optimizer': {'name': 'lion'} | /training/optimizer/name",
        "'optimizer': {'learningRate': 'NaN'} | /training/optimizer/learningRate",
        "'optimizer': {'learningRate': 0} | /training/optimizer/learningRate",
        "'optimizer': {'learningRate': -0.1} | /training/optimizer/learningRate",
        "'optimizer': {'learningRate': 1e60} | /training/optimizer/learningRate",
        "'optimizer': {'learningRate': 1e-60} | /training/optimizer/learningRate",
        "'optimizer': {'weightDecay': -1} | /training/optimizer/weightDecay",
        "'optimizer': {'name': 'adam', 'momentum': 0.9} | /training/optimizer/momentum",
        "'optimizer': {'name': 'adam', 'beta1': 1.5} | /training/optimizer",
        "'schedule': 'steps' | /training/schedule",
        "'clip': 0 | /training/clip",
        "'clip': {'norm': 1, 'value': 1} | /training/clip/value",
        "'ema': 1 | /training/ema",
        "'ema': 1.5 | /training/ema",
        "'accumulation': 0 | /training/accumulation",
        "'seed': 9223372036854775808 | /training/seed",
        "'epochs': 0, 'batchSize': 0 | /training/epochs /training/batchSize",
      })
  void aMistakeOfTrainingIsToldWithItsPointer(String keys, String pointers) {
    assertEquals(pointers, pointers("{" + LENET + ", 'training': {" + keys + "}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'level': 'O4' | /precision/level",
        "'level': 2 | /precision/level",
        "'half': 'fp32' | /precision/half",
        "'lossScale': 'pytroch' | /precision/lossScale",
        "'lossScale': 0 | /precision/lossScale",
        "'lossScale': true | /precision/lossScale",
        "'lossScale': {'rule': 'dynamic', 'scale': 8} | /precision/lossScale",
        "'lossScale': {'rule': 'dynamic', 'up': 0.5} | /precision/lossScale",
        "'lossScale': {'rule': 'fixed'} | /precision/lossScale",
        "'lossScale': {'rule': 'logmax', 'window': 8} | /precision/lossScale",
        "'parts': {'encoder': {'dtype': 'fp8'}} | /precision/parts/encoder/dtype",
        "'parts': {'encoder': 'fp8'} | /precision/parts/encoder",
        "'parts': {'encoder': {}} | /precision/parts/encoder/dtype",
        "'parts': {'encoder': 'fp16'} | /precision",
        "'options': {'castOverflow': 'max'} | /precision/options/castOverflow",
        "'options': {'halfParameters': true} | /precision/options",
        "'options': {'acceptSwamping': true} | /precision/options",
        "'options': {'overflowPolicy': 'retry:0'} | /precision/options/overflowPolicy",
        "'options': {'fpExceptions': ['oflow']} | /precision/options/fpExceptions/0",
        "'options': {'demotion': {'after': 3}} | /precision/options/demotion/within",
        "'options': {'demotion': {'after': 3, 'within': 2}} | /precision/options",
        "'options': {'deny': ['Nothing']} | /precision/options",
        "'options': {'overflowPolicy': 'retry'}, 'lossScale': 8 | /precision/options",
        "'options': {'diagnose': true}, 'lossScale': {'scale': 8, 'dropsOverflows': false}"
            + " | /precision/options",
        "'options': {'castModelType': 'fp16'}, 'half': 'bf16' | /precision/options",
        "'dtype': 'mixed', 'level': 'O2' | /precision/level",
        "'dtype': 'half' | /precision/dtype",
        "'dtype': 'mixed', 'encoder_params': {'type': 1} | /precision/encoder_params/type",
      })
  void aMistakeOfPrecisionIsToldWithItsPointer(String keys, String pointers) {
    assertEquals(pointers, pointers("{" + LENET + ", 'precision': {" + keys + "}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | /network",
        "[] | ``",
        "null | ``",
        "1 | ``",
        "'x' | ``",
        "{'network': {}} | /network",
        "{'network': []} | /network",
        "{'network': {'name': 'lenet6'}} | /network/name",
        "{'network': {'name': '../mnist'}} | /network/name",
        "{'network': {'name': 'lenet5\\u0000'}} | /network/name",
        "{'network': {'name': 'file:///etc/passwd'}} | /network/name",
        "{'network': {'name': 'lenet5'}, 'dataset': {'name': 'mnist'}} | /dataset/name",
        "{'network': {'name': 'lenet5'}, 'dataset': {'config': {'shape': [1, 28, 28]}}}"
            + " | /dataset/config/shape",
        "{'network': {'name': 'lenet5'}, 'id': 1, 'state': 'SUCCEEDED'} | /id /state",
        "{'network': {'name': 'lenet5'}, '__proto__': {}, '@type': 'x'} | /__proto__ /@type",
        "{'network': {'name': 'lenet5'}, 'device': 'tpu'} | /device",
        "{'network': {'name': 'lenet5'}, 'labels': {'a': 1}} | /labels/a",
        "{'network': {'name': 'lenet5'}, 'labels': {'': 'a'}} | /labels/",
        "{'network': {'name': 'lenet5'}, 'labels': {'a': 'b\\nc'}} | /labels/a",
      })
  void aMistakeOfTheWholeIsToldWithItsPointer(String text, String pointers) {
    assertEquals(pointers, pointers(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{'training': {'epochs': 1,}}",
        "{training: {}}",
        "{'training': {}} {}",
        "{'training': {}} x",
        "{'training': {} /* of */}",
        "{'training': {'optimizer': {'learningRate': NaN}}}",
        "{'training': {'optimizer': {'learningRate': 1e999}}}",
        "{'training': {}, 'training': {}}",
        "{'name': 'a\u0007'}",
        "{'name': '\\uD800'}",
        "\uFEFF\uFEFF{}",
      })
  void whatIsNotJsonIsRefused(String text) {
    List<Problem> problems = JobSpecification.problems(json(text));
    assertEquals(1, problems.size(), problems::toString);
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 100_000})
  void deepNestingIsRefusedAtOnce(int depth) {
    for (String open : List.of("[", "{\"a\":")) {
      assertEquals(1, JobSpecification.problems(open.repeat(depth)).size());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Grüße", "👩‍🚀 flies", "<img src=x onerror=alert(1)>", "${jndi:ldap://x}"})
  void aNameIsTextAndStaysAsItIs(String name) {
    assertEquals(name, JobSpecification.of("lenet5").with("/name", name).name().orElseThrow());
  }

  @Test
  void aNameIsComposed() {
    assertEquals("\u00e9", JobSpecification.empty().with("/name", "e\u0301").name().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb", "a\rINFO forged", "a\u001b[31m", "a\u0000", "a\u2028b"})
  void aNameHasNoControlCharacters(String name) {
    ArgumentException refused =
        assertThrows(ArgumentException.class, () -> JobSpecification.empty().with("/name", name));
    assertEquals("/name", refused.problem().where());
    assertTrue(refused.problem().message().chars().noneMatch(Character::isISOControl));
  }

  @Test
  void aNameHasAtMost128Characters() {
    JobSpecification.empty().with("/name", "😀".repeat(128));
    String longer = "x".repeat(129);
    assertThrows(ArgumentException.class, () -> JobSpecification.empty().with("/name", longer));
  }

  @Test
  void severalMistakesAreToldTogether() {
    ArgumentException refused =
        assertThrows(
            ArgumentException.class,
            () -> JobSpecification.ofJson(json("{'traning': {}, 'training': {'epochs': '5'}}")));
    assertEquals(
        json("[specification] at /traning: expected keys name, labels, network, dataset,"
                + " precision, training, checkpoint, logs, device, resources, priority, timeout,"
                + " queueTimeout, stopGraceSeconds, retries, got ''traning''. Did you mean"
                + " training? At /training/epochs: expected a whole number from 1 to 10000, got"
                + " '5'.")
            .replace("\"\"", "'")
            .replace("'traning'", "'traning'"),
        refused.problem().message().replace("\"5\"", json("'5'")));
  }

  @Test
  void resolvingFillsInWhatIsNotSaidAndChangesNothingAgain() {
    JobSpecification resolved = JobSpecification.of("lenet5").resolved();
    assertEquals(resolved, resolved.resolved());
    assertEquals(resolved, JobSpecification.ofJson(resolved.json()));
    assertEquals(5, resolved.training().epochs().orElseThrow());
  }

  @Test
  void whatIsSaidHasItsPointersThroughListsToo() {
    assertEquals(
        Map.of(
            "/labels/a~1b", "\"x\"",
            "/network/0/cell", "\"Flatten\"",
            "/network/1/cell", "\"Dense\"",
            "/network/1/hasBias", "false",
            "/network/1/inChannels", "784",
            "/network/1/outChannels", "10",
            "/training/optimizer/nesterov", "true",
            "/training/optimizer/name", "\"momentum\""),
        JobSpecification.ofJson(
                json(
                    "{'labels': {'a/b': 'x'}, 'network': [{'cell': 'Flatten'},"
                        + " {'cell': 'Dense', 'inChannels': 784, 'outChannels': 10, 'hasBias': false}],"
                        + " 'training': {'optimizer': {'name': 'momentum', 'nesterov': true}}}"))
            .said());
  }

  @Test
  void shortFormsMeanTheKeyTheyStandFor() {
    assertEquals(
        JobSpecification.ofJson(
            json(
                "{'precision': {'lossScale': {'rule': 'apex'}, 'parts': {'a': {'dtype': 'fp32'}}},"
                    + " 'training': {'optimizer': {'name': 'adam'}, 'clip': {'norm': 1},"
                    + " 'accumulation': {'microBatches': 2}}}")),
        JobSpecification.ofJson(
            json(
                "{'precision': {'lossScale': 'apex', 'parts': {'a': 'fp32'}},"
                    + " 'training': {'optimizer': 'adam', 'clip': 1, 'accumulation': 2}}")));
  }

  @Test
  void logsAreAListOfWordsEachOfWhichIsSaidOnce() {
    JobSpecification both =
        JobSpecification.of("lenet5").with("/logs", List.of("csv", "tensorboard"));
    assertEquals(List.of(LogFormat.CSV, LogFormat.TENSORBOARD), both.resolved().logs());
    assertEquals(both.with("/logs", List.of("csv")), both.with("/logs", "csv"));
    JobSpecification twice = both.with("/logs", List.of("csv", "csv"));
    assertEquals("/logs", assertThrows(ArgumentException.class, twice::resolved).problem().where());
    assertEquals(
        "/logs/0",
        assertThrows(ArgumentException.class, () -> both.with("/logs", List.of("tensorBoard")))
            .problem()
            .where());
  }

  @Test
  void javaSaysTheSameByItsOwnConstantsAndRecords() {
    LossScaleSpecification scale = LossScaleSpecification.of(LossScale.fixed(1024));
    JobSpecification said =
        JobSpecification.empty()
            .with("/precision/level", Level.O2)
            .with("/precision/half", DType.BF16)
            .with("/precision/lossScale", scale);
    assertEquals(scale, said.precision().lossScale());
    assertEquals(
        JobSpecification.ofJson(json("{'precision': {'level': 'O2', 'half': 'bf16'}}"))
            .with("/precision/lossScale", scale),
        said);
  }

  @Test
  void whatIsWatchedOnTestSamplesIsMeasuredAfterEachEpoch() {
    JobSpecification plain = JobSpecification.of("lenet5");
    assertEquals(Optional.empty(), plain.resolved().training().evaluation().everyEpochs());
    assertEquals(
        Optional.empty(),
        plain
            .with("/checkpoint/best", "train_loss")
            .resolved()
            .training()
            .evaluation()
            .everyEpochs());
    JobSpecification stopping = plain.with("/training/earlyStopping", 3).resolved();
    assertEquals(
        WatchedMetric.TEST_ACCURACY, stopping.training().earlyStopping().metric().orElseThrow());
    assertEquals(0.0, stopping.training().earlyStopping().minDelta().orElseThrow());
    assertEquals(1, stopping.training().evaluation().everyEpochs().orElseThrow());
    assertEquals(stopping, stopping.resolved());
    JobSpecification rare =
        plain.with("/checkpoint/best", "test_loss").with("/training/evaluation", 2);
    assertEquals(2, rare.resolved().training().evaluation().everyEpochs().orElseThrow());
    JobSpecification impatient = plain.with("/training/earlyStopping", Map.of("minDelta", 0.1));
    assertEquals(
        "/training/earlyStopping/patience",
        assertThrows(ArgumentException.class, impatient::resolved).problem().where());
  }

  @Test
  void yamlSaysTheSame() {
    assertEquals(
        JobSpecification.of("lenet5")
            .with("/training/epochs", 2)
            .with("/precision/parts", Map.of("/fc1", "fp32")),
        JobSpecification.ofYaml(
            """
            # a run
            network: {name: lenet5}
            training:
              epochs: 2
            precision:
              parts:
                /fc1: fp32
            """));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "training: &a {epochs: 1}",
        "name: *a",
        "name: !!str 5",
        "training: {epochs: 1}\ntraining: {epochs: 2}",
        "training: {epochs: 1}\n---\ntraining: {epochs: 2}",
        "training: {optimizer: {learningRate: .nan}}",
        "training: {optimizer: {learningRate: .inf}}",
        "name: 5",
        "training:\n\tepochs: 1",
        "training: {epochs: '1'}",
        "precision: {options: {diagnose: yes}}",
        "{",
        "",
      })
  void yamlIsAsStrict(String text) {
    assertThrows(ArgumentException.class, () -> JobSpecification.ofYaml(text));
  }

  /** JSON is refused what only YAML takes, and taken for JSON where only its text says so. */
  @Test
  void aFileIsReadAsItsNameSaysAndElseAsItsTextDoes(@TempDir Path folder) throws IOException {
    JobSpecification lenet = JobSpecification.of("lenet5");
    String flow = "{network: {name: lenet5}}";
    for (String name : List.of("a.yaml", "a.yml")) {
      assertEquals(lenet, JobSpecification.read(Files.writeString(folder.resolve(name), flow)));
    }
    for (String name : List.of("a.json", "a")) {
      Path file = Files.writeString(folder.resolve(name), flow);
      assertThrows(ArgumentException.class, () -> JobSpecification.read(file));
      Files.writeString(file, json(" {" + LENET + "}"));
      assertEquals(lenet, JobSpecification.read(file));
    }
    Path block = Files.writeString(folder.resolve("b"), "network:\n  name: lenet5\n");
    assertEquals(lenet, JobSpecification.read(block));
    Path strict = Files.writeString(folder.resolve("b.json"), "network:\n  name: lenet5\n");
    assertThrows(ArgumentException.class, () -> JobSpecification.read(strict));
  }

  @Test
  void whatIsSaidAtAKeyOrBelowItIsKnown() {
    JobSpecification job = JobSpecification.of("lenet5").with("/training/epochs", 2);
    assertTrue(job.says("/training"));
    assertTrue(job.says("/training/epochs"));
    assertFalse(job.says("/training/seed"));
    assertFalse(job.says("/precision"));
  }
}
