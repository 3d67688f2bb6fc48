package dev.halfcell.zoo;

import dev.halfcell.backend.Backend;
import dev.halfcell.backend.Backends;
import dev.halfcell.testkit.NetworkContract;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The networks of the zoo that take minutes. */
@Tag("slow")
final class LargeNetworkContractTest extends NetworkContract {
  @Override
  protected List<Subject> subjects() {
    return ContractSubjects.all().filter(each -> !ContractSubjects.small(each)).toList();
  }

  @Override
  protected Backend open() {
    return Backends.open("cpu");
  }
}
