package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.NetworkContract.Subject;
import dev.halfcell.testkit.NetworkStepContract;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** All networks of the zoo, which takes a rig long. */
@Tag("slow")
final class GpuZooStepContractTest extends NetworkStepContract {
  @Override
  protected List<Subject> subjects() {
    return Networks.all().stream().map(GpuZooStepContractTest::of).toList();
  }

  private static Subject of(NetworkDefinition network) {
    return new Subject(network.name(), network::build, network.parameters(), network.sample())
        .onSmallImages();
  }

  @Override
  protected Backend open() {
    return RigBackend.open();
  }
}
