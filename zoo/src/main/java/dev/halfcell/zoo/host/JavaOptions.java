package dev.halfcell.zoo.host;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The options that Java is started with wherever HalfCell computes, kept in the two files {@code
 * java.options} and {@code vector.options}, which Java reads too ({@code java @java.options}). A
 * server, which has others compute, is started with those of the first one and of {@code
 * server.options}.
 */
public final class JavaOptions {
  private static final String COMMAND = "CompileCommand";

  /**
   * Begins an option by which Java's compiler is told something. All are in force that are said.
   */
  public static final String COMPILER = "-XX:" + COMMAND + "=";

  private static final List<String> FILES = List.of("java.options", "vector.options");
  private static final List<String> SERVER = List.of("java.options", "server.options");
  private static final String SIZE = "-Xmx";
  private static final String CACHE = "AOTCache";

  /** Of a server: the cache of processes that compute, which is another one; empty without one. */
  private static final String COMPUTING = "halfcell.learned";

  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** Java says what keeps it from a cache among the program's own output. */
  private static final String QUIET = "-Xlog:aot*=off";

  private static final String ADD_MODULE = "--add-modules=";

  private JavaOptions() {}

  /** All of them, in the order of the files. */
  public static List<String> fixed() {
    return of(FILES);
  }

  /** Those that a server is started with, in the order of the files. */
  public static List<String> ofServer() {
    return of(SERVER);
  }

  private static List<String> of(List<String> files) {
    return files.stream()
        .flatMap(file -> text(file).lines())
        .filter(JavaOptions::isOption)
        .toList();
  }

  private static boolean isOption(String line) {
    return !line.isBlank() && !line.startsWith("#");
  }

  private static String text(String file) {
    try (InputStream in = JavaOptions.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * By which another process of this program that computes learns from a rehearsal: what this one
   * was started with, or was told for it; nothing where there was none.
   */
  public static List<String> learned() {
    String cache = System.getProperty(COMPUTING, java().getVMOption(CACHE).getValue());
    return cache == null || cache.isEmpty()
        ? List.of()
        : List.of("-XX:" + CACHE + "=" + cache, QUIET);
  }

  private static HotSpotDiagnosticMXBean java() {
    return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
  }

  /** Those that are not in force in this process, left out or overridden. */
  public static List<String> missing() {
    HotSpotDiagnosticMXBean java = java();
    return missing(
        fixed(),
        flag -> java.getVMOption(flag).getValue(),
        module -> ModuleLayer.boot().findModule(module).isPresent());
  }

  /**
   * The options that are not in force.
   *
   * @param inForce the value of each of Java's flags, by its name
   * @param present whether there is a module of that name
   */
  static List<String> missing(
      List<String> options, UnaryOperator<String> inForce, Predicate<String> present) {
    return options.stream().filter(option -> !isInForce(option, inForce, present)).toList();
  }

  private static boolean isInForce(
      String option, UnaryOperator<String> inForce, Predicate<String> present) {
    if (option.startsWith(ADD_MODULE)) {
      return present.test(option.substring(ADD_MODULE.length()));
    }
    if (option.equals(NATIVE_ACCESS)) {
      return ClassLoader.getSystemClassLoader().getUnnamedModule().isNativeAccessEnabled();
    }
    if (option.startsWith(COMPILER)) {
      String command = option.substring(COMPILER.length());
      return inForce.apply(COMMAND).lines().anyMatch(command::equals);
    }
    return flags(option).entrySet().stream()
        .allMatch(flag -> flag.getValue().equals(inForce.apply(flag.getKey())));
  }

  /** What an option sets, as Java shows it. */
  private static Map<String, String> flags(String option) {
    String size = bytes(option.substring(Math.min(option.length(), SIZE.length())));
    if (option.startsWith("-Xms")) {
      return Map.of("InitialHeapSize", size);
    }
    if (option.startsWith("-Xmx")) {
      return Map.of("MaxHeapSize", size);
    }
    if (option.startsWith("-Xmn")) {
      return Map.of("NewSize", size, "MaxNewSize", size);
    }
    String flag = option.substring("-XX:".length());
    int sign = flag.indexOf('=');
    return sign < 0
        ? Map.of(flag.substring(1), String.valueOf(flag.startsWith("+")))
        : Map.of(flag.substring(0, sign), bytes(flag.substring(sign + 1)));
  }

  private static String bytes(String text) {
    return ByteCount.of(text.toUpperCase(Locale.ROOT)).stream()
        .mapToObj(String::valueOf)
        .findFirst()
        .orElse(text);
  }
}
