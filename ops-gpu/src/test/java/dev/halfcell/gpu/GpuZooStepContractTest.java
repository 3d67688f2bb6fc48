package dev.halfcell.gpu;

import dev.halfcell.backend.Backend;
import dev.halfcell.testkit.NetworkContract.Subject;
import dev.halfcell.testkit.NetworkStepContract;
import dev.halfcell.zoo.NetworkDefinition;
import dev.halfcell.zoo.Networks;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The smaller networks of the zoo: on a rig the others take hours. */
@Tag("either")
@Tag("slow")
final class GpuZooStepContractTest extends NetworkStepContract {
  private static final int FEW_CELLS = 120;
  private static final int FEW_PARAMETERS = 5_000_000;

  @Override
  protected List<Subject> subjects() {
    return Networks.all().stream()
        .map(GpuZooStepContractTest::of)
        .filter(each -> each.make().get().paths().size() <= FEW_CELLS)
        .filter(each -> each.parameters() < FEW_PARAMETERS)
        .toList();
  }

  private static Subject of(NetworkDefinition network) {
    return new Subject(network.name(), network::build, network.parameters(), network.sample())
        .onSmallImages();
  }

  @Override
  protected Backend open() {
    return TestedGpu.open();
  }
}
