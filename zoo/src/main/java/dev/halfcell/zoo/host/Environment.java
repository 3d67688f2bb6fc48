package dev.halfcell.zoo.host;

import dev.halfcell.backend.Backend;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the bits of a run may depend on beside the run: where any of it is another, so may they be.
 */
public final class Environment {
  private Environment() {}

  /** The machine, Java and a backend with its libraries, by name. */
  public static Map<String, String> with(Backend backend) {
    Cpu cpu = Cpu.here();
    Map<String, String> environment = new TreeMap<>(Versions.with(backend));
    environment.put("backend", backend.name());
    environment.put("cpu", cpu.name());
    environment.put(
        "cpu features", Cpu.FEATURES.stream().filter(cpu::has).collect(Collectors.joining(" ")));
    environment.put("threads", String.valueOf(backend.threads()));
    environment.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    return environment;
  }
}
