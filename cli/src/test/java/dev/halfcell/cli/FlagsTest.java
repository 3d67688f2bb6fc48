package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every flag of {@code train} is an alias of one key, or says where and how on this machine. */
final class FlagsTest {
  private static final Console CONSOLE =
      new Console(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false);

  /** Where and how on this machine. */
  private static final Set<String> OF_THE_MACHINE =
      Set.of(
          "--config",
          "--data",
          "--out",
          "--resume",
          "--quiet",
          "--help",
          "--version",
          "--stacktrace");

  /** Keys whose values are keys. */
  private static final Set<String> SECTIONS =
      Set.of(
          "precision",
          "training",
          "checkpoint",
          "options",
          "optimizer",
          "accumulation",
          "resources");

  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("--accumulate", "2"),
          Map.entry("--batch-size", "8"),
          Map.entry("--cast-overflow", "nan"),
          Map.entry("--checkpoint-every-seconds", "60"),
          Map.entry("--checkpoint-every-steps", "100"),
          Map.entry("--checkpoint-keep", "3"),
          Map.entry("--clip-norm", "1"),
          Map.entry("--demotion", "3,200"),
          Map.entry("--device", "cpu"),
          Map.entry("--ema", "0.9"),
          Map.entry("--epochs", "2"),
          Map.entry("--fp-exceptions", "inv"),
          Map.entry("--half", "bf16"),
          Map.entry("--keep-batchnorm-fp32", "true"),
          Map.entry("--learning-rate", "0.5"),
          Map.entry("--level", "O1"),
          Map.entry("--loader-workers", "2"),
          Map.entry("--log", "tensorboard,csv"),
          Map.entry("--loss-scale", "apex"),
          Map.entry("--memory-limit", "6G"),
          Map.entry("--optimizer", "adam"),
          Map.entry("--overflow-policy", "fail"),
          Map.entry("--partials", "/fc1=fp16"),
          Map.entry("--schedule", "cosine"),
          Map.entry("--seed", "3"),
          Map.entry("--steps", "4"),
          Map.entry("--threads", "1"),
          Map.entry("--weight-decay", "0.1"));

  private static JobSpecification said(String... arguments) {
    TrainOptions options = new TrainOptions();
    new CommandLine(options).parseArgs(arguments);
    return options.specification();
  }

  /**
   * The keys that a specification says: those of a list or map in the place of a value count one.
   */
  private static List<String> keys(JsonNode tree, String at) {
    List<String> keys = new ArrayList<>();
    tree.forEachEntry(
        (key, value) -> {
          String pointer = at + "/" + key;
          boolean section = SECTIONS.contains(key);
          keys.addAll(section ? keys(value, pointer) : List.of(pointer));
        });
    return keys;
  }

  private static Map<String, String> aliases() {
    Map<String, String> aliases = new TreeMap<>();
    for (OptionSpec option : new CommandLine(new TrainOptions()).getCommandSpec().options()) {
      String flag = option.longestName();
      if (OF_THE_MACHINE.contains(flag)) {
        continue;
      }
      boolean bare = option.arity().max() == 0;
      assertTrue(bare || VALUES.containsKey(flag), "no value is known to try " + flag + " with");
      JobSpecification one = said(bare ? flag : flag + "=" + VALUES.get(flag));
      List<String> keys = keys(new JsonMapper().readTree(one.json()), "");
      assertEquals(1, keys.size(), () -> flag + " says " + keys);
      aliases.put(flag, keys.getFirst());
    }
    return aliases;
  }

  @Test
  void everyFlagIsAnAliasOfOneKeyAndNoTwoOfTheSame() {
    Map<String, String> aliases = aliases();
    assertTrue(aliases.size() >= VALUES.size());
    assertEquals(aliases.size(), Set.copyOf(aliases.values()).size(), aliases::toString);
  }

  @Test
  void thePageOfRunsListsThem() throws IOException {
    String page = Files.readString(Path.of(System.getProperty("halfcell.root"), "docs", "runs.md"));
    String table =
        aliases().entrySet().stream()
            .map(alias -> "| `%s` | `%s` |".formatted(alias.getKey(), alias.getValue()))
            .collect(Collectors.joining("\n"));
    assertTrue(page.contains(table), () -> "docs/runs.md should hold\n" + table);
  }

  @Test
  void aFlagReplacesTheKeyThatAFileSays() {
    assertEquals("{ }\n", said().json());
    assertEquals(said("--clip-norm=2"), said("--clip-norm=2").with("/training/clip", 2));
  }

  @Test
  void aWeightDecayOfZeroIsTheSameHoweverItIsWritten() {
    JobSpecification none = said("--weight-decay=0");
    for (String zero : List.of("0.0", "0e0", "-0", "-0.0", ".0")) {
      assertEquals(none, said("--weight-decay=" + zero), zero);
    }
  }

  /** What is submitted is described as what is trained here, with more about the job itself. */
  @Test
  void submitTakesEveryFlagOfASpecification() {
    Set<String> flags = flags(new SubmitCommand(CONSOLE));
    assertTrue(flags.containsAll(aliases().keySet()), flags::toString);
    assertEquals(Set.of("--out", "--resume"), without(flags, flags(new TrainOptions())));
  }

  private static Set<String> without(Set<String> taken, Set<String> all) {
    return all.stream().filter(flag -> !taken.contains(flag)).collect(Collectors.toSet());
  }

  private static Set<String> flags(Object command) {
    return new CommandLine(command)
        .getCommandSpec().options().stream()
            .map(OptionSpec::longestName)
            .collect(Collectors.toSet());
  }
}
