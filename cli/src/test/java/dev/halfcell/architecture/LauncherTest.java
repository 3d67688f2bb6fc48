package dev.halfcell.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.architecture.ScriptSandbox.Outcome;
import dev.halfcell.architecture.ScriptSandbox.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** halfcell: when it builds, what it says meanwhile, and what it starts. */
@Tag("process")
final class LauncherTest {
  @TempDir private Path folder;
  private ScriptSandbox sandbox;
  private Map<String, String> environment = Map.of();

  @BeforeEach
  void copyTheScripts() throws IOException {
    sandbox = new ScriptSandbox(folder, Path.of(System.getProperty("halfcell.root")));
    sandbox.installMaven();
    environment = Map.of("JAVA_HOME", sandbox.javaHome("jdk", "25.0.3").toString());
  }

  @Test
  void aFirstStartBuildsWithProgressOnTheErrorStream() throws Exception {
    Outcome outcome = sandbox.run(environment, "tree/halfcell", "train", "two words");
    assertEquals(started("train two words"), outcome.output());
    assertTrue(outcome.errors().contains("halfcell: [2/7] HalfCell framework"), outcome::errors);
    assertTrue(sandbox.read("builds").contains("-pl cli -am"), () -> "built the cli and its needs");
  }

  @Test
  void aSecondStartDoesNotBuildAndSaysNothing() throws Exception {
    sandbox.run(environment, "tree/halfcell");
    Outcome second = sandbox.run(environment, "tree/halfcell", "list");
    assertEquals(started("list"), second.output());
    assertEquals("", second.errors());
    assertEquals(1, builds());
  }

  @Test
  void aNewerSourceIsBuilt() throws Exception {
    buildInThePast();
    sandbox.write("tree/framework/src/main/java/Source.java", "class Source { int more; }");
    sandbox.run(environment, "tree/halfcell");
    assertEquals(2, builds());
  }

  @Test
  void aRemovedSourceIsBuilt() throws Exception {
    buildInThePast();
    Files.delete(sandbox.tree().resolve("framework/src/main/java/Source.java"));
    sandbox.run(environment, "tree/halfcell");
    assertEquals(2, builds());
  }

  @Test
  void aNewerModulePomIsBuilt() throws Exception {
    buildInThePast();
    sandbox.write("tree/framework/pom.xml", "<project></project>");
    sandbox.run(environment, "tree/halfcell");
    assertEquals(2, builds());
  }

  @Test
  void aSourceChangedDuringTheBuildIsBuiltNextTime() throws Exception {
    Path editor = sandbox.write("edit-meanwhile", "");
    sandbox.run(environment, "tree/halfcell");
    Files.delete(editor);
    sandbox.run(environment, "tree/halfcell");
    assertEquals(2, builds());
    sandbox.run(environment, "tree/halfcell");
    assertEquals(2, builds());
  }

  @Test
  void aFailedBuildShowsTheCompilersWordsAndStartsNothing() throws Exception {
    sandbox.write("broken-source", "");
    Outcome outcome = sandbox.run(environment, "tree/halfcell", "train");
    assertEquals(1, outcome.status());
    assertEquals("", outcome.output());
    assertTrue(outcome.errors().contains("Odd.java:[3,1] ';' expected"), outcome::errors);
    assertTrue(outcome.errors().contains("halfcell: the build failed"), outcome::errors);
  }

  @Test
  void noMavenIsSaidOnce() throws Exception {
    sandbox.write("no-network", "");
    Outcome outcome = sandbox.run(environment, "tree/halfcell");
    assertEquals(1, outcome.status());
    assertEquals(
        1,
        outcome.errors().lines().filter(line -> line.startsWith("mvnw: could not fetch")).count());
  }

  @Test
  void aLinkFromAnotherFolderStartsTheSameProgram() throws Exception {
    Files.createSymbolicLink(folder.resolve("link"), Path.of("tree/halfcell"));
    Outcome outcome = sandbox.run(environment, folder.resolve("link").toString(), "doctor");
    assertEquals(started("doctor"), outcome.output());
  }

  @Test
  void optionsForTheJvmStandBeforeTheJar() throws Exception {
    Map<String, String> withOptions =
        Map.of("JAVA_HOME", environment.get("JAVA_HOME"), "HALFCELL_JAVA_OPTS", "-Xmx1g -Dx=1");
    Outcome outcome = sandbox.run(withOptions, "tree/halfcell", "list");
    assertEquals(
        "java of jdk: " + fixed() + learned() + " -Xmx1g -Dx=1 -jar " + jar() + " list\n",
        outcome.output());
  }

  @Test
  void whatARehearsalTaughtIsOfThatJarAndThatJavaAlone() throws Exception {
    buildInThePast();
    sandbox.run(environment, "tree/halfcell");
    assertEquals("jdk\njdk\n", sandbox.read("rehearsals"));
    Map<String, String> other = Map.of("JAVA_HOME", sandbox.javaHome("other", "25.0.3").toString());
    sandbox.run(other, "tree/halfcell");
    sandbox.run(environment, "tree/halfcell");
    sandbox.run(other, "tree/halfcell");
    assertEquals("jdk\njdk\nother\nother\n", sandbox.read("rehearsals"));
    sandbox.write("other/release", "JAVA_VERSION=\"25.0.4\"\n");
    sandbox.run(other, "tree/halfcell");
    assertEquals("jdk\njdk\nother\nother\nother\nother\n", sandbox.read("rehearsals"));
    Files.writeString(jar(), "built by somebody else");
    sandbox.run(environment, "tree/halfcell");
    assertEquals("jdk\njdk\nother\nother\nother\nother\njdk\njdk\n", sandbox.read("rehearsals"));
    assertEquals(1, builds());
  }

  @Test
  void aRehearsalLeavesNothingButWhatItTaught() throws Exception {
    sandbox.run(environment, "tree/halfcell");
    sandbox.write("no-rehearsal", "");
    Files.writeString(jar(), "another");
    sandbox.run(environment, "tree/halfcell");
    try (var files = Files.list(sandbox.tree().resolve("cli/target"))) {
      assertEquals(
          List.of(),
          files.map(file -> file.getFileName().toString()).filter(LauncherTest::odd).toList());
    }
  }

  private static boolean odd(String name) {
    return name.startsWith("halfcell-")
        && !name.equals("halfcell-cli.jar")
        && !name.matches("halfcell-[0-9]+[.]aot[.]rehearsed");
  }

  @Test
  void aRehearsalThatFailsIsSaidOnceAndTheProgramStartsAllTheSame() throws Exception {
    sandbox.write("no-rehearsal", "");
    Outcome first = sandbox.run(environment, "tree/halfcell", "list");
    assertTrue(first.errors().contains("halfcell: the rehearsal failed"), first::errors);
    Outcome second = sandbox.run(environment, "tree/halfcell", "list");
    assertEquals("", second.errors());
    String slow = "java of jdk: " + fixed() + " -jar " + jar() + " list\n";
    assertEquals(List.of(slow, slow), List.of(first.output(), second.output()));
  }

  @Test
  void whereTheLocaleIsAsciiFilesMayHaveAnyNameAllTheSame() throws Exception {
    sandbox.run(environment, "tree/halfcell");
    sandbox.write("jdk/bin/java", "#!/bin/sh\necho \"$LC_ALL\"\n");
    assertEquals("C.UTF-8\n", sandbox.run(inLocale("C"), "tree/halfcell").output());
    assertEquals("de_DE.utf8\n", sandbox.run(inLocale("de_DE.utf8"), "tree/halfcell").output());
  }

  private Map<String, String> inLocale(String name) {
    return Map.of("JAVA_HOME", environment.get("JAVA_HOME"), "LC_ALL", name);
  }

  /** Java would fail at some class, with no word on files. */
  @Test
  void whereTooFewFilesMayBeOpenOneLineSaysSo() throws Exception {
    String few = "ulimit -n 255 && exec tree/halfcell list";
    Outcome refused = sandbox.run(environment, "sh", "-c", few);
    assertEquals(1, refused.status());
    assertEquals("", refused.output());
    assertTrue(refused.errors().contains("255 files open"), refused::errors);
    assertEquals(1, refused.errors().lines().count());
    Outcome started = sandbox.run(environment, "sh", "-c", few.replace("255", "256"));
    assertEquals(started("list"), started.output());
  }

  @Test
  void theProgramTakesTheLaunchersPlaceAndSoItsSignals() throws Exception {
    sandbox.run(environment, "tree/halfcell");
    sandbox.write("jdk/bin/java", "#!/bin/sh\necho $$\n");
    Running running = sandbox.start(environment, "tree/halfcell");
    assertEquals(running.process().pid() + "\n", running.outcome().output());
  }

  private String started(String arguments) throws IOException {
    return "java of jdk: " + fixed() + learned() + " -jar " + jar() + " " + arguments + "\n";
  }

  private String learned() throws IOException {
    Path program = cache("halfcell-[0-9]+[.]aot");
    return learned(program, program);
  }

  private static String learned(Path own, Path program) {
    return " -XX:AOTCache=" + own + " -Xlog:aot*=off -Dhalfcell.learned=" + program;
  }

  private Path cache(String name) throws IOException {
    try (var files = Files.list(sandbox.tree().resolve("cli/target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(name))
          .findFirst()
          .orElseThrow();
    }
  }

  /** It has others compute, and Java learns more without the module of vectors. */
  @ParameterizedTest
  @ValueSource(strings = {"serve", "worker"})
  void aServerIsStartedWithoutVectors(String command) throws Exception {
    Outcome outcome = sandbox.run(environment, "tree/halfcell", command, "--port=1");
    Path own = cache("halfcell-[0-9]+-server[.]aot");
    Path program = cache("halfcell-[0-9]+[.]aot");
    assertEquals(
        "java of jdk: @"
            + options("java.options")
            + (" @" + options("server.options"))
            + learned(own, program)
            + (" -jar " + jar() + " " + command + " --port=1\n"),
        outcome.output());
  }

  /** The files with the options that are always the same. */
  private String fixed() {
    return "@" + options("java.options") + " @" + options("vector.options");
  }

  private Path options(String name) {
    return sandbox.tree().resolve("zoo/src/main/resources/dev/halfcell/zoo/host").resolve(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.options", "vector.options", "server.options"})
  void theFilesWithTheFixedOptionsAreThere(String name) {
    Path root = Path.of(System.getProperty("halfcell.root"));
    assertTrue(Files.exists(root.resolve(sandbox.tree().relativize(options(name)))));
  }

  private Path jar() {
    return sandbox.tree().resolve("cli/target/halfcell-cli.jar");
  }

  private long builds() throws IOException {
    return sandbox.read("builds").lines().count();
  }

  /** Builds, and lets an hour pass: file times may be as coarse as a second. */
  private void buildInThePast() throws Exception {
    sandbox.run(environment, "tree/halfcell");
    FileTime past = FileTime.from(Instant.now().minusSeconds(3600));
    try (var files = Files.walk(sandbox.tree())) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, past);
      }
    }
    assertEquals(1, builds());
  }
}
