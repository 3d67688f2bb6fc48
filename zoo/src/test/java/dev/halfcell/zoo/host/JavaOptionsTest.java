package dev.halfcell.zoo.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JavaOptionsTest {
  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** What the launcher passes to Java is what the program knows of. */
  @ParameterizedTest
  @CsvSource({
    "java.options, UseSerialGC MaxHeapSize ReservedCodeCacheSize",
    "server.options, SweeperThreshold"
  })
  void javaTakesTheFileAsItIs(String name, String flags) throws Exception {
    Path file = Path.of(Objects.requireNonNull(JavaOptions.class.getResource(name)).toURI());
    Process java =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "@" + file,
                "-XX:+PrintFlagsFinal",
                "-version")
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, java.waitFor(), said);
    for (String flag : flags.split(" ")) {
      assertTrue(
          said.lines()
              .anyMatch(line -> line.contains(" " + flag + " ") && line.contains("command line")),
          flag);
    }
  }

  @Test
  void theyAreOptionsAndNothingElse() {
    assertTrue(JavaOptions.fixed().contains("-XX:+UseSerialGC"));
    assertTrue(
        JavaOptions.fixed().stream()
            .allMatch(
                option ->
                    option.matches(
                            "-X[A-Za-z:+=0-9]+|--add-modules=[a-z.]+"
                                + "|-XX:CompileCommand=[A-Za-z]+(,[A-Za-z.*]+::[*](,[0-9.]+)?)?")
                        || option.equals(NATIVE_ACCESS)));
  }

  /** All of them, as Java shows them: in lines. */
  private static final String COMMANDS =
      JavaOptions.fixed().stream()
          .filter(option -> option.startsWith(JavaOptions.COMPILER))
          .map(option -> option.substring(JavaOptions.COMPILER.length()))
          .collect(Collectors.joining("\n"));

  private static final Map<String, String> IN_FORCE =
      Map.of(
          "UseSerialGC", "true",
          "InitialHeapSize", "33554432",
          "NewSize", "16777216",
          "MaxNewSize", "16777216",
          "MaxHeapSize", "536870912",
          "ReservedCodeCacheSize", "67108864",
          "MaxDirectMemorySize", "1099511627776",
          "CompileCommand", COMMANDS);

  private static List<String> missing(Map<String, String> inForce) {
    return JavaOptions.missing(
        JavaOptions.fixed(), flag -> inForce.getOrDefault(flag, ""), _ -> true);
  }

  @ParameterizedTest
  @CsvSource({
    "UseSerialGC, false, -XX:+UseSerialGC",
    "InitialHeapSize, 1048576, -Xms32m",
    "MaxNewSize, 1048576, -Xmn16m",
    "NewSize, 1048576, -Xmn16m",
    "MaxHeapSize, 4294967296, -Xmx512m",
    "ReservedCodeCacheSize, 1048576, -XX:ReservedCodeCacheSize=64m",
    "MaxDirectMemorySize, 0, -XX:MaxDirectMemorySize=1t"
  })
  void anOptionThatIsNotInForceIsMissing(String flag, String value, String option) {
    Map<String, String> inForce = new HashMap<>(IN_FORCE);
    assertEquals(List.of(), missing(inForce));
    inForce.put(flag, value);
    assertEquals(List.of(option), missing(inForce));
  }

  @Test
  void aModuleThatWasNotAddedIsMissing() {
    List<String> missing =
        JavaOptions.missing(
            JavaOptions.fixed(), flag -> IN_FORCE.getOrDefault(flag, ""), _ -> false);
    assertEquals(List.of("--add-modules=jdk.incubator.vector"), missing);
  }

  @Test
  void aCommandOfTheCompilerThatIsNotInForceIsMissing() {
    assertTrue(COMMANDS.lines().count() > 5, COMMANDS);
    Map<String, String> inForce = new HashMap<>(IN_FORCE);
    inForce.put("CompileCommand", COMMANDS.replace("\ndontinline,*Casts::*", ""));
    assertEquals(List.of("-XX:CompileCommand=dontinline,*Casts::*"), missing(inForce));
  }

  /** In a process that was started with them, and one where the last word was another. */
  @ParameterizedTest
  @CsvSource({"-Xmx512m, []", "-Xmx1g, [-Xmx512m]", "-XX:MaxHeapSize=1g, [-Xmx512m]"})
  void whatIsSaidLastIsInForce(String last, String missing) throws Exception {
    assertEquals(missing, said(JavaOptions.fixed(), last, Missing.class));
  }

  @Test
  void nativeAccessThatWasNotGivenIsMissing() throws Exception {
    List<String> others =
        JavaOptions.fixed().stream().filter(option -> !option.equals(NATIVE_ACCESS)).toList();
    assertEquals("[" + NATIVE_ACCESS + "]", said(others, "-Xmx512m", Missing.class));
  }

  /** Even one that Java cannot read: it says so and starts without. */
  @ParameterizedTest
  @CsvSource({
    "-XX:AOTCache=a b.aot, '[-XX:AOTCache=a b.aot, -Xlog:aot*=off]'",
    "-Dhalfcell.learned=c.aot, '[-XX:AOTCache=c.aot, -Xlog:aot*=off]'",
    "-Dhalfcell.learned=, []",
    "-Xmx1g, []"
  })
  void whatAProcessLearnsFromIsHandedOn(String option, String learned) throws Exception {
    assertEquals(learned, said(JavaOptions.fixed(), option, Learned.class));
  }

  /** The last line of a process with these options and one more. */
  private static String said(List<String> options, String last, Class<?> program) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(options);
    command.addAll(List.of(last, "-cp", System.getProperty("java.class.path")));
    command.add(program.getName());
    Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, java.waitFor(), said);
    return said.lines().toList().getLast(); // Java warns of the module before
  }

  /** Prints what is missing. */
  static final class Missing {
    private Missing() {}

    public static void main(String[] arguments) {
      System.out.println(JavaOptions.missing());
    }
  }

  /** Prints what is handed on. */
  static final class Learned {
    private Learned() {}

    public static void main(String[] arguments) {
      System.out.println(JavaOptions.learned());
    }
  }
}
