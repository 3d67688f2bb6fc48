package dev.halfcell.zoo;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.testkit.NetworkContract;
import java.util.List;

/** Every network of the zoo that steps in a moment. */
final class NetworkContractTest extends NetworkContract {
  @Override
  protected List<Subject> subjects() {
    return ContractSubjects.all().filter(ContractSubjects::small).toList();
  }

  @Override
  protected Backend open() {
    return Backends.open("cpu");
  }
}
