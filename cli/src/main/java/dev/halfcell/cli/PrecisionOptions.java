package dev.halfcell.cli;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;
import dev.halfcell.tensor.DType;
import dev.halfcell.zoo.NetworkDefinition;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which network a command is about, and how much of it runs in half. */
final class PrecisionOptions {
  @Parameters(
      index = "0",
      paramLabel = "NETWORK",
      converter = OptionValues.Network.class,
      description = "The network; `halfcell list` names them all.")
  private NetworkDefinition network;

  @Option(
      names = "--level",
      paramLabel = "O0|O1|O2|O3|auto",
      defaultValue = "O2",
      converter = OptionValues.LevelName.class,
      description =
          "How much runs in half: nothing (O0), convolutions and dense layers (O1), all but"
              + " normalisations and the loss (O2), normalisations too (O3), each op by its class"
              + " (auto). Default: O2.")
  private Level level;

  @Option(
      names = "--half",
      paramLabel = "fp16|bf16",
      defaultValue = "fp16",
      converter = OptionValues.Half.class,
      description = "The 16-bit type. Default: fp16.")
  private DType half;

  @Option(
      names = "--keep-batchnorm-fp32",
      arity = "1",
      paramLabel = "true|false",
      converter = OptionValues.Truth.class,
      description =
          "Whether normalisations read and write fp32. Default: the level's own (false at O3).")
  private Optional<Boolean> keepBatchNormFp32;

  NetworkDefinition network() {
    return network;
  }

  Level level() {
    return level;
  }

  DType half() {
    return half;
  }

  /** The options of a train cell that these say. */
  AmpOptions options() {
    AmpOptions options = AmpOptions.defaults().half(half);
    return keepBatchNormFp32.map(options::keepBatchNormFp32).orElse(options);
  }
}
