package dev.halfcell.backend;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Problem;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * The backends that are on the class path or module path. Nothing is loaded before it is opened.
 */
public final class Backends {
  private static final String AUTO = "auto";

  private Backends() {}

  /** All providers, the most preferred first. */
  public static List<BackendProvider> providers() {
    return ServiceLoader.load(BackendProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(
            Comparator.comparingInt(BackendProvider::preference)
                .reversed()
                .thenComparing(BackendProvider::name))
        .toList();
  }

  /**
   * Opens a backend, which computes with as many threads as there are processors for it.
   *
   * @param name a backend's name, or {@code auto} for the most preferred one; the reference backend
   *     is never chosen that way
   * @throws ArgumentException where there is none of this name
   */
  public static Backend open(String name) {
    BackendProvider provider = named(name);
    return provider.open(provider.threads());
  }

  /**
   * Opens a backend that computes with so many threads.
   *
   * @throws ArgumentException where there is none of this name, or it cannot have as many here
   */
  public static Backend open(String name, int threads) {
    BackendProvider provider = named(name);
    int most = provider.threads();
    ArgumentException.require(
        threads >= 1 && threads <= most,
        "threads",
        (most == 1 ? "1" : "1 to " + most) + ", which device " + provider.name() + " has here",
        threads);
    return provider.open(threads);
  }

  private static BackendProvider named(String name) {
    ArgumentException.requirePresent(name, "device", "the name");
    return providers().stream()
        .filter(p -> name.equals(AUTO) ? p.preference() >= 0 : p.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(name));
  }

  private static ArgumentException unknown(String name) {
    String known =
        providers().stream().map(BackendProvider::name).collect(Collectors.joining(", "));
    return new ArgumentException(
        new Problem(
            "device",
            "",
            name.equals(AUTO) ? "a backend that auto may choose" : "auto or one of " + known,
            name.equals(AUTO) ? "only " + known : name,
            "Put the backend's module, such as halfcell-ops-cpu, on the class path."));
  }
}
