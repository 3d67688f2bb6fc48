package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ExplainCommandTest {
  private static final String LENET5_AT_O2 =
      """
      cell      class                     compute  output   reason
      /         LeNet5                    fp16     fp32     level O2
      /conv1    Conv2d                    fp16     fp16     level O2
      /relu1    ReLU                      fp16     fp16     level O2
      /pool1    MaxPool2d                 fp16     fp16     level O2
      /conv2    Conv2d                    fp16     fp16     level O2
      /relu2    ReLU                      fp16     fp16     level O2
      /pool2    MaxPool2d                 fp16     fp16     level O2
      /flatten  Flatten                   fp16     fp16     level O2
      /fc1      Dense                     fp16     fp16     level O2
      /relu3    ReLU                      fp16     fp16     level O2
      /fc2      Dense                     fp16     fp16     level O2
      /relu4    ReLU                      fp16     fp16     level O2
      /fc3      Dense                     fp16     fp16     level O2
      /loss_fn  SoftmaxCrossEntropyLoss   fp32     fp32     \
      SoftmaxCrossEntropyLoss is a loss: fp32 at every level
      13 of 14 cells compute in half
      13 casts in a training step: 12 to fp16, 1 to fp32
      """;

  @Test
  void printsThePlanOfLeNet5AtO2() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--level", "O2");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(LENET5_AT_O2, run.out());
  }

  @Test
  void fullPrecisionCastsNothing() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--level", "O0");
    assertTrue(run.out().contains("0 of 14 cells compute in half"), run.out());
    assertTrue(run.out().endsWith("0 casts in a training step: 0 to fp16, 0 to fp32\n"), run.out());
  }

  @Test
  void theHalfIsTheOneAskedFor() {
    CommandLineRun run = CommandLineRun.of("explain", "lenet5", "--half", "bf16");
    assertTrue(run.out().contains("/conv1    Conv2d                    bf16"), run.out());
    assertTrue(run.out().contains("12 to bf16, 1 to fp32"), run.out());
  }
}
