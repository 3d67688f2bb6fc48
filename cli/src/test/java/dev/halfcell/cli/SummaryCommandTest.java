package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class SummaryCommandTest {
  private static final String LENET5_AT_O2 =
      """
      path      cell       output           dtype  parameters  multiply-adds  bytes
      /         LeNet5     [2, 10]          fp32   0           0              80
      /conv1    Conv2d     [2, 6, 28, 28]   fp16   156         235,200        18,816
      /relu1    ReLU       [2, 6, 28, 28]   fp16   0           0              18,816
      /pool1    MaxPool2d  [2, 6, 14, 14]   fp16   0           0              4,704
      /conv2    Conv2d     [2, 16, 10, 10]  fp16   2,416       480,000        6,400
      /relu2    ReLU       [2, 16, 10, 10]  fp16   0           0              6,400
      /pool2    MaxPool2d  [2, 16, 5, 5]    fp16   0           0              1,600
      /flatten  Flatten    [2, 400]         fp16   0           0              1,600
      /fc1      Dense      [2, 120]         fp16   48,120      96,000         480
      /relu3    ReLU       [2, 120]         fp16   0           0              480
      /fc2      Dense      [2, 84]          fp16   10,164      20,160         336
      /relu4    ReLU       [2, 84]          fp16   0           0              336
      /fc3      Dense      [2, 10]          fp16   850         1,680          40
      lenet5, O2, batch 2: 61,706 parameters (241.0 KiB), 833,040 multiply-adds, outputs of 58.7 KiB
      """;

  @Test
  void printsWhatLeNet5IsMadeOf() {
    CommandLineRun run = CommandLineRun.of("summary", "lenet5", "--batch-size", "2");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(LENET5_AT_O2, run.out());
  }

  @Test
  void theHalfIsTheOneAskedFor() {
    CommandLineRun run = CommandLineRun.of("summary", "lenet5", "--half", "bf16");
    assertTrue(run.out().contains("[1, 6, 28, 28]   bf16"), run.out());
  }

  @Test
  void parametersInHalfTakeHalfTheBytes() {
    CommandLineRun run =
        CommandLineRun.of("summary", "lenet5", "--half-parameters", "--stochastic-rounding");
    assertTrue(run.out().contains("61,706 parameters (120.5 KiB)"), run.out());
  }

  @Test
  void anUnknownNetworkIsRefusedInALine() {
    CommandLineRun run = CommandLineRun.of("summary", "lenet6");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("Did you mean lenet5?"), run.err());
  }

  @Test
  void comparesWhatAStepTakesAtEachLevel() {
    CommandLineRun run =
        CommandLineRun.of("summary", "lenet5", "--compare", "--batch-size=4", "--measure=1");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(6, run.outLines().size(), run.out());
    assertTrue(run.outLines().getFirst().contains("cast copies"), run.out());
    assertTrue(run.outLines().getLast().startsWith("auto"), run.out());
  }
}
