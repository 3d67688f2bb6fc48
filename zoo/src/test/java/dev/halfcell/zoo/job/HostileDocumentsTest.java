package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.HalfCellException;
import dev.halfcell.tensor.Problem;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that are meant to confuse: refused in one line that says where. */
final class HostileDocumentsTest {
  private static final String LENET = "{'network': {'name': 'lenet5'}, ";

  @TempDir private Path folder;

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static void requireOneLine(Problem problem) {
    String message = problem.message();
    assertTrue(
        message.codePoints().noneMatch(c -> Character.isISOControl(c) || c == 0x2028), message);
    assertTrue(message.length() < 2000, () -> message.length() + ": " + message);
  }

  /** The kinds of JSONTestSuite's n_ files. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1 true]",
        "[1,,2]",
        "[1,]",
        "[,1]",
        "[1",
        "]",
        "[3[4]]",
        "[,",
        "[tru]",
        "[nul]",
        "nan",
        "[+1]",
        "[-01]",
        "[012]",
        "[.5]",
        "[1.]",
        "[1e]",
        "[1e+]",
        "[0x1]",
        "[1_000]",
        "[-]",
        "[Infinity]",
        "[-Infinity]",
        "[NaN]",
        "[1eE2]",
        "[1.8011670033376514H-308]",
        "[٣]",
        "{'a' 1}",
        "{'a':}",
        "{'a':1 'b':2}",
        "{'a':1,}",
        "{'a':1,,'b':2}",
        "{a:1}",
        "{1:1}",
        "{'a':'b'}/**/",
        "{'a':'b'}//",
        "{'a':'b'}#",
        "{'a':/*b*/1}",
        "{'a':'b'}{}",
        "{",
        "{'a'",
        "['\\x00']",
        "['\\u00A']",
        "['\\uD800\\u']",
        "['\\a']",
        "['\t']",
        "['\n']",
        "['",
        "\u2060[]",
        "\uFEFF[]",
        "[\f]",
        "\u00a0[]",
        "<null>",
        "*",
        "\\u000A''",
        "é"
      })
  void whatIsNotJsonIsNoTree(String text) {
    ArgumentException refused =
        assertThrows(ArgumentException.class, () -> StrictTree.ofJson(json(text)));
    requireOneLine(refused.problem());
  }

  static List<String> nearlySpecifications() {
    return List.of(
        "{'network': {'name': 'lenet5'}, 'n\\u0065twork': {'name': 'mlp'}}",
        LENET + "'__proto__': {}}",
        LENET + "'constructor': {'prototype': {}}}",
        LENET + "'class': 'java.lang.Runtime'}",
        LENET + "'@type': 'javax.script.ScriptEngineManager'}",
        LENET + "'@class': 'x'}",
        LENET + "'$ref': '#'}",
        LENET + "'': 1}",
        LENET + "'a\\nERROR forged': 1}",
        LENET + "'a\\u0000': 1}",
        LENET + "'\\u202Egnp': 1}",
        LENET + "'a\\u2028b': 1}",
        LENET + "'" + "k".repeat(257) + "': 1}",
        LENET + "'~/': 1}",
        LENET + "'training': {'a\\u001b[31m': {}}}",
        LENET + "'labels': {'a\\nb': 'c'}}",
        LENET + "'labels': {'" + "k".repeat(65) + "': 'c'}}",
        LENET + "'labels': {'a': '" + "v".repeat(129) + "'}}",
        LENET + "'precision': {'parts': {'a\\nb': 'fp8'}}}",
        LENET + "'name': '" + "x".repeat(70_000) + "'}",
        LENET + "'name': '\\uDC00\\uD800'}",
        LENET + "'training': {'epochs': " + "1".repeat(65) + "}}",
        LENET + "'training': {'epochs': " + "1".repeat(1000) + "}}",
        LENET + "'training': {'epochs': " + "1".repeat(1_000_000) + "}}",
        LENET + "'training': {'epochs': 1e1000000000}}",
        LENET + "'training': {'epochs': -0.0}}",
        LENET + "'training': {'ema': 0." + "9".repeat(70) + "}}",
        LENET + "'training': {'ema': 1e-999999999999}}",
        LENET + "'training': {'schedule': 'constant" + " ".repeat(300_000) + "'}}",
        LENET + "'training': {'schedule': '" + "warm-up=5%+".repeat(900) + "cosine'}}",
        LENET + "'x': " + "{'a': ".repeat(40) + "1" + "}".repeat(41),
        "{'network': " + "[".repeat(100_000),
        "{'network': "
            + "[{'cell': 'Sequential', 'cells': ".repeat(20)
            + "[]"
            + "}]".repeat(20)
            + "}",
        "{'network': []}",
        "{'network': [" + "{'cell': 'ReLU'},".repeat(256) + "{'cell': 'ReLU'}]}",
        "{'network': [" + "{},".repeat(6000) + "{}]}",
        "{'network': [" + "{'cell': 'ReLU'},".repeat(100_000) + "{'cell': 'ReLU'}]}",
        "{'network': {'name': 'http://169.254.169.254/'}}",
        "{'network': {'name': '${jndi:ldap://x}'}}");
  }

  @ParameterizedTest
  @MethodSource("nearlySpecifications")
  void eachIsRefusedWithAPlaceInOneLine(String text) {
    List<Problem> problems = JobSpecification.problems(json(text));
    assertFalse(problems.isEmpty());
    problems.forEach(HostileDocumentsTest::requireOneLine);
    Problem first = problems.getFirst();
    boolean whole = first.expected().contains("of at most");
    assertTrue(first.where().matches("(?s)(/|line ).*") || whole, first::message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &a [x]\nb: [*a, *a]",
        "network: {<<: {name: lenet5}}",
        "network: !!javax.script.ScriptEngineManager [x]",
        "network: !!binary bGVuZXQ1",
        "? {a: b}\n: c",
        "? [a]\n: c",
        "1: 2",
        "~: 2",
        "network: {name: lenet5}\n...\n{}",
        "%TAG ! tag:x:\n---\nnetwork: !y {name: lenet5}",
        "training: {epochs: 0x10}",
        "training: {epochs: 0o17}",
        "training: {epochs: 1_000}",
        "training: {epochs: 1:30}",
        "training: {epochs: ~}",
        "training: {epochs: }",
        "training: {epochs: 5.}",
        "training: {epochs: 2001-01-01}",
        "training: {ema: .9_}",
        "device: on",
        "name: \"\\uD800\"",
        "name: \"a\\0b\"",
        "name: |\n  a\n  b",
        "labels: {a: no}\nlabels: {a: no}",
        "- network",
        "@network",
        "`network`",
        "network: 'lenet5",
        "\u0000",
      })
  void yamlThatCouldBeTakenOtherwiseIsRefused(String text) {
    ArgumentException refused =
        assertThrows(ArgumentException.class, () -> JobSpecification.ofYaml(text));
    requireOneLine(refused.problem());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- ", "a:\n  "})
  void yamlBombsAreRefusedAtOnce(String open) {
    ArgumentException refused =
        assertThrows(ArgumentException.class, () -> JobSpecification.ofYaml(open.repeat(60_000)));
    requireOneLine(refused.problem());
  }

  /** Numbers as JSON writes them; words such as {@code no} are text in YAML 1.2. */
  @Test
  void yamlTakesNoWordForATruth() {
    JobSpecification said = JobSpecification.ofYaml("labels: {country: no}\nname: 'off'");
    assertEquals("no", said.labels().get("country"));
  }

  /** Each of these is two characters when it is composed. */
  @Test
  void aNameIsMeasuredComposed() {
    String json = json("{'name': '" + "\u0958".repeat(128) + "'}");
    assertThrows(ArgumentException.class, () -> JobSpecification.ofJson(json));
  }

  private HalfCellException refusedFile(String name, byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    return assertThrows(HalfCellException.class, () -> JobSpecification.read(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32"})
  void filesInOtherEncodingsAreRefused(String charset) throws IOException {
    byte[] bytes = json(LENET + "'name': 'é'}").getBytes(Charset.forName(charset));
    requireOneLine(refusedFile("job.json", bytes).problem());
    requireOneLine(refusedFile("job.yaml", bytes).problem());
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() throws IOException {
    byte[] bytes = json(LENET + "'name': 'é'}").getBytes(StandardCharsets.ISO_8859_1);
    requireOneLine(refusedFile("job.json", bytes).problem());
    byte[] overlong = {'{', (byte) 0xC0, (byte) 0xAF, '}'};
    requireOneLine(refusedFile("job.json", overlong).problem());
  }

  /** RFC 8259 wants none, YAML 1.2 takes one. */
  @Test
  void aByteOrderMarkIsNoJsonButYaml() throws IOException {
    byte[] bytes = json("\uFEFF" + LENET + "'name': 'a'}").getBytes(StandardCharsets.UTF_8);
    requireOneLine(refusedFile("job.json", bytes).problem());
    Path yaml = Files.write(folder.resolve("job.yaml"), bytes);
    assertEquals(JobSpecification.of("lenet5").with("/name", "a"), JobSpecification.read(yaml));
  }

  @Test
  void aFolderOrNothingIsNoFile() throws IOException {
    Path inside = Files.createDirectory(folder.resolve("job.json"));
    assertThrows(HalfCellException.class, () -> JobSpecification.read(inside));
    Path none = folder.resolve("none.json");
    assertThrows(HalfCellException.class, () -> JobSpecification.read(none));
    byte[] large = " ".repeat(StrictTree.LONGEST + 1).getBytes(StandardCharsets.UTF_8);
    assertTrue(refusedFile("large.json", large).problem().got().contains("bytes"));
  }
}
