package dev.halfcell.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ExplainCommandTest {
  private static final String LENET5_AT_O2 =
      """
      cell      class                     params  compute  output   reason
      /         LeNet5                    -       fp16     fp32     level O2
      /conv1    Conv2d                    fp32    fp16     fp16     level O2
      /relu1    ReLU                      -       fp16     fp16     level O2
      /pool1    MaxPool2d                 -       fp16     fp16     level O2
      /conv2    Conv2d                    fp32    fp16     fp16     level O2
      /relu2    ReLU                      -       fp16     fp16     level O2
      /pool2    MaxPool2d                 -       fp16     fp16     level O2
      /flatten  Flatten                   -       fp16     fp16     level O2
      /fc1      Dense                     fp32    fp16     fp16     level O2
      /relu3    ReLU                      -       fp16     fp16     level O2
      /fc2      Dense                     fp32    fp16     fp16     level O2
      /relu4    ReLU                      -       fp16     fp16     level O2
      /fc3      Dense                     fp32    fp16     fp16     level O2
      /loss_fn  SoftmaxCrossEntropyLoss   -       fp32     fp32     \
      SoftmaxCrossEntropyLoss is a loss: fp32 at every level
      13 of 14 cells compute in half
      13 casts in a training step: 12 to half, 1 to fp32
      1269248 bytes kept for the backward pass, 903680 less than in fp32
      """;

  @Test
  void printsThePlanOfLeNet5AtO2() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--level", "O2");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(LENET5_AT_O2, run.out().replaceFirst("memory of a run .*\n$", ""));
  }

  @Test
  void saysWhatMemoryARunHolds() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5");
    assertTrue(
        run.out()
            .matches(
                "(?s).*\\nmemory of a run on cpu: about \\d+\\.\\d MiB \\(program \\d+\\.\\d MiB, .*\\);"
                    + " largest tensor: .*\\n"),
        run.out());
    String json = CommandLineRun.of("explain", "lenet5", "--json").out();
    assertTrue(json.contains("\"estimated_parts\" : {"), json);
    CommandLineRun refused =
        CommandLineRun.of("explain", "lenet5", "--partials=fp16", "--device=cpu");
    assertTrue(!refused.out().contains("memory of a run"), refused.out());
  }

  /** Backends are found by the thread's class loader: here there are none. */
  @Test
  void explainsWhereNoDeviceCanBeOpenedAndSaysSo() {
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--level", "O2");
      assertEquals(0, run.exitCode(), run.err());
      assertTrue(run.out().startsWith(LENET5_AT_O2), run.out());
      assertTrue(run.out().contains("memory: not estimated. [device]"), run.out());
      String json = CommandLineRun.of("explain", "lenet5", "--json").out();
      assertTrue(json.contains("\"not_estimated\" : \"memory: not estimated."), json);
      assertEquals(2, CommandLineRun.of("explain", "lenet5", "--device=cpu").exitCode());
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  @Test
  void saysWhatIsUnusualOfTheNumerics() {
    CommandLineRun run =
        CommandLineRun.of(
            "explain",
            "lenet5",
            "--cast-overflow=saturate",
            "--stochastic-rounding",
            "--half-parameters",
            "--stable-statistics");
    assertEquals(0, run.exitCode(), run.err());
    for (String line :
        new String[] {
          "casts to half overflow to SATURATE",
          "rounding to half is stochastic",
          "parameters are kept in half, without fp32 masters",
          "batch statistics take the mean first, in two passes"
        }) {
      assertTrue(run.out().contains(line), run.out());
    }
  }

  private static final String PARTIALS_OF_LENET5 =
      """
      cell      class                     params  compute  output   reason
      /         LeNet5                    -       fp16     fp32     level O2
      /conv1    Conv2d                    fp32    fp16     fp16     level O2; fp16 partials
      /relu1    ReLU                      -       fp16     fp16     level O2
      /pool1    MaxPool2d                 -       fp16     fp16     level O2
      /conv2    Conv2d                    fp32    fp16     fp16     level O2; fp16 partials
      /relu2    ReLU                      -       fp16     fp16     level O2
      /pool2    MaxPool2d                 -       fp16     fp16     level O2
      /flatten  Flatten                   -       fp16     fp16     level O2
      /fc1      Dense                     fp32    fp16     fp16     level O2; fp16 partials
      /relu3    ReLU                      -       fp16     fp16     level O2
      /fc2      Dense                     fp32    fp16     fp16     level O2
      /relu4    ReLU                      -       fp16     fp16     level O2
      /fc3      Dense                     fp32    fp16     fp16     level O2; bf16 partials
      /loss_fn  SoftmaxCrossEntropyLoss   -       fp32     fp32     \
      SoftmaxCrossEntropyLoss is a loss: fp32 at every level
      13 of 14 cells compute in half
      13 casts in a training step: 12 to half, 1 to fp32
      1269248 bytes kept for the backward pass, 903680 less than in fp32
      products of half are summed in fp16 partials
      products of half are summed in fp32 partials: /fc2
      products of half are summed in bf16 partials: /fc3
      8 ops of a training step with fp16 partials
      3 ops of a training step with bf16 partials
      the device refuses fp16 partials
      the device refuses bf16 partials
      """;

  @Test
  void saysWhatIsSummedInHalfAndWhatADeviceRefuses() {
    String[] arguments = {
      "explain",
      "lenet5",
      "--device=cpu",
      "--partials=fp16",
      "--partials",
      "/fc2=fp32",
      "--partials=/fc3=bf16"
    };
    CommandLineRun run = CommandLineRun.of(arguments);
    assertEquals(0, run.exitCode(), run.err());
    String device = "; the device keeps fp16 and computes in fp32";
    assertEquals(PARTIALS_OF_LENET5, run.out().replace(device, ""));
    String json = CommandLineRun.of("explain", "lenet5", "--partials=fp16", "--json").out();
    assertTrue(json.contains("\"level O2; fp16 partials\""), json);
    assertTrue(json.contains("ops of a training step with fp16 partials"), json);
  }

  @Test
  void fullPrecisionCastsNothing() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--level", "O0");
    assertTrue(run.out().contains("0 of 14 cells compute in half"), run.out());
    assertTrue(run.out().contains("0 casts in a training step: 0 to half, 0 to fp32\n"), run.out());
  }

  @Test
  void theHalfIsTheOneAskedFor() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--half", "bf16");
    assertTrue(run.out().contains("/conv1    Conv2d                    fp32    bf16"), run.out());
    assertTrue(run.out().contains("12 to half, 1 to fp32"), run.out());
  }

  @Test
  void levelAutoAndNormalisationsAreTakenFromTheCommandLine() {
    CommandLineRun auto = CommandLineRun.of("explain", "lenet5", "--level", "auto");
    assertTrue(auto.out().contains("per op   level auto"), auto.out());
    assertTrue(auto.out().contains("0 of 14 cells compute in half, 13 op by op\n"), auto.out());
    CommandLineRun half =
        CommandLineRun.of("explain", "resnet20", "--keep-batchnorm-fp32", "false");
    assertTrue(half.out().contains("keepBatchNormFp32(false)"), half.out());
  }

  @Test
  void aDeviceThatOnlyKeepsADtypeIsNamed() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--device", "reference");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(2, CommandLineRun.of("explain", "lenet5", "--device", "tpu").exitCode());
  }

  @Test
  void theSameAsJson() throws IOException {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--level", "O2", "--json");
    assertEquals(0, run.exitCode(), run.err());
    String golden = "explain-lenet5-o2.json";
    try (InputStream file = ExplainCommandTest.class.getResourceAsStream(golden)) {
      String wanted = new String(Objects.requireNonNull(file, golden).readAllBytes(), UTF_8);
      assertEquals(wanted, run.out().replaceFirst("(?s),\n  \"estimated_peak_bytes\".*", "\n}\n"));
    }
  }

  @Test
  void theCompiledStepIsPrintedTaskByTask() {
    CommandLineRun run =
        CommandLineRun.of(
            "explain", "lenet5", "--level=O0", "--batch-size=1000", "--device=reference", "--plan");
    assertEquals(0, run.exitCode(), run.err());
    long conv1 = 28 * 28 * 6 * 25;
    long inner = 10 * 10 * 16 * 6 * 25 + 400 * 120 + 120 * 84 + 84 * 10;
    double step = 2 * 1000 * (2 * conv1 + 3 * inner) / 1e9;
    assertTrue(
        Pattern.compile(
                "(?m)^forward +/conv1 +Conv2d +fp32\\[1000, 6, 28, 28\\] +\\S+ MiB +"
                    + String.format(Locale.ROOT, "%.4f", 2 * 1000 * conv1 / 1e9)
                    + "$")
            .matcher(run.out())
            .find(),
        run.out());
    assertTrue(
        run.out().contains(String.format(Locale.ROOT, " tasks, %.4f GFLOP, 0 reorders\n", step)),
        run.out());
    assertTrue(run.out().contains(", not planned by lifetimes; activations 32.4"), run.out());
  }

  @Test
  void theCompiledStepOfTheProcessorHasKernelsReordersAndABoundOfItsMemory() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--plan", "--device=cpu");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().matches("(?s).*\\nforward +/conv1 +Conv2d .*"), run.out());
    assertTrue(
        run.out()
            .matches("(?s).*\\nmemory of the plan: \\S+ MiB, at least \\S+ MiB by lifetimes; .*"),
        run.out());
    CommandLineRun json = CommandLineRun.of("explain", "lenet5", "--plan", "--json");
    assertTrue(json.out().contains("\"bound_bytes\" : "), json.out());
    assertTrue(json.out().contains("\"op\" : \"UpdateAll\""), json.out());
    assertTrue(!CommandLineRun.of("explain", "lenet5", "--json").out().contains("\"plan\""));
  }

  @Test
  void aStepThatADeviceRefusesHasNoCompiledForm() {
    CommandLineRun run =
        CommandLineRun.of("explain", "lenet5", "--plan", "--device=cpu", "--partials=fp16");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("--plan"), run.err());
  }

  @Test
  void planDiffNamesTheCellsThatTwoLevelsTreatDifferently() {
    CommandLineRun run = CommandLineRun.of("plan-diff", "lenet5", "O1", "O2");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(
        """
        cell      class                     level O1                        level O2
        /         LeNet5                    per op, leaves fp32 (level O1)  fp16, leaves fp32 (level O2)
        /relu1    ReLU                      per op (level O1)               fp16 (level O2)
        /pool1    MaxPool2d                 per op (level O1)               fp16 (level O2)
        /relu2    ReLU                      per op (level O1)               fp16 (level O2)
        /pool2    MaxPool2d                 per op (level O1)               fp16 (level O2)
        /flatten  Flatten                   per op (level O1)               fp16 (level O2)
        /relu3    ReLU                      per op (level O1)               fp16 (level O2)
        /relu4    ReLU                      per op (level O1)               fp16 (level O2)
        8 of 14 cells differ
        """,
        run.out());
  }
}
