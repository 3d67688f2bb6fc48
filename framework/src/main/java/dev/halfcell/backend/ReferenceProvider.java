package dev.halfcell.backend;

import java.util.List;

/** Makes the reference backend known to {@link java.util.ServiceLoader}. */
public final class ReferenceProvider implements BackendProvider {
  @Override
  public String name() {
    return ReferenceBackend.NAME;
  }

  @Override
  public int preference() {
    return -1;
  }

  @Override
  public int threads() {
    return 1;
  }

  @Override
  public Backend open(int threads) {
    return new ReferenceBackend();
  }

  @Override
  public List<String> diagnose() {
    return List.of("plain Java in double, one thread: the oracle of tests, only by name");
  }
}
