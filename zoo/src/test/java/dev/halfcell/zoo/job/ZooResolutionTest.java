package dev.halfcell.zoo.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.data.DataSet;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.TensorSpec;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The resolution of every network of the zoo. */
final class ZooResolutionTest {
  static List<NetworkDefinition> networks() {
    return Networks.all();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void everyNetworkOfTheZooIsResolvedByItsRecipe(NetworkDefinition network) {
    JobSpecification resolved = JobSpecification.of(network.name()).resolved();
    assertEquals(network.defaults().epochs(), resolved.training().epochs().orElseThrow());
    assertEquals(network.defaults().batchSize(), resolved.training().batchSize().orElseThrow());
    assertEquals(resolved, resolved.resolved());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void everyNetworkOfTheZooTakesSyntheticDataOfItsOwnShape(NetworkDefinition network) {
    JobSpecification resolved =
        JobSpecification.of(network.name())
            .with("/dataset/name", "synthetic")
            .with("/training/steps", 3)
            .resolved();
    assertEquals(Optional.of("synthetic"), resolved.dataset().name());
    assertEquals(resolved, resolved.resolved());
    DataSet data = new Assembly(resolved).openData(Optional.empty()).train();
    assertEquals(network.sample(), data.sample().getFirst());
    assertEquals(network.data().classes(), data.classes());
  }

  @Test
  void aListOfCellsTakesSyntheticDataOfAnyShape() {
    JobSpecification job =
        JobSpecification.ofJson(
            """
            {"network": [{"cell": "Flatten"}, {"cell": "Dense", "inChannels": 60, "outChannels": 10}],
             "dataset": {"name": "synthetic", "config": {"shape": [3, 4, 5]}}}
            """);
    DataSet data = new Assembly(job.resolved()).openData(Optional.empty()).train();
    assertEquals(TensorSpec.of(DType.FP32, 3, 4, 5), data.sample().getFirst());
  }
}
