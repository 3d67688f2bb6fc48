package dev.halfcell.cli;

import dev.halfcell.zoo.NetworkDefinition;
import picocli.CommandLine.Parameters;

/** Which network a command is about. */
final class NetworkArgument {
  @Parameters(
      index = "0",
      paramLabel = "NETWORK",
      converter = OptionValues.Network.class,
      description = "The network; `halfcell list` names them all.")
  private NetworkDefinition network;

  NetworkDefinition network() {
    return network;
  }
}
