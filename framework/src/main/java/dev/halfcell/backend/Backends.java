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
   * Opens a backend.
   *
   * @param name a backend's name, or {@code auto} for the most preferred one; the reference backend
   *     is never chosen that way
   * @throws ArgumentException where there is none of this name
   */
  public static Backend open(String name) {
    ArgumentException.requirePresent(name, "device", "the name");
    return providers().stream()
        .filter(p -> name.equals(AUTO) ? p.preference() >= 0 : p.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(name))
        .open();
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
