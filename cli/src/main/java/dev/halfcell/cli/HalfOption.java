package dev.halfcell.cli;

import dev.halfcell.tensor.DType;
import picocli.CommandLine.Option;

/** Which 16-bit type a command means by half. */
final class HalfOption {
  static final String DESCRIPTION = "The 16-bit type. Default: fp16.";

  @Option(
      names = "--half",
      paramLabel = "fp16|bf16",
      defaultValue = "fp16",
      converter = OptionValues.Half.class,
      description = DESCRIPTION)
  private DType half;

  DType half() {
    return half;
  }
}
