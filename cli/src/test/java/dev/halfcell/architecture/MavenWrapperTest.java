package dev.halfcell.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.architecture.ScriptSandbox.Outcome;
import dev.halfcell.architecture.ScriptSandbox.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** mvnw: which JDK it takes, how it gets Maven, and what it says where it cannot. */
@Tag("process")
final class MavenWrapperTest {
  @TempDir private Path folder;
  private ScriptSandbox sandbox;

  @BeforeEach
  void copyTheScripts() throws IOException {
    sandbox = new ScriptSandbox(folder, Path.of(System.getProperty("halfcell.root")));
  }

  @Test
  void javaHomeOfTheRightVersionComesFirst() throws Exception {
    sandbox.installMaven();
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "25.0.1"));
    Path home = sandbox.javaHome("jdk-of-home", "25.0.3");
    Outcome outcome = sandbox.run(Map.of("JAVA_HOME", home.toString()), "tree/mvnw", "verify");
    assertEquals("maven on jdk-of-home: verify\n", outcome.output());
    assertEquals(0, outcome.status());
  }

  @Test
  void anOlderJavaHomeIsPassedOver() throws Exception {
    sandbox.installMaven();
    Path old = sandbox.javaHome("jdk-old", "17.0.15");
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "25"));
    Outcome outcome = sandbox.run(Map.of("JAVA_HOME", old.toString()), "tree/mvnw", "-v");
    assertEquals("maven on jdk-on-path: -v\n", outcome.output());
  }

  @Test
  void anInstallFolderServesWhereJavaOnPathIsOlder() throws Exception {
    sandbox.installMaven();
    sandbox.putOnPath(sandbox.javaHome("jdk-old", "17.0.15"));
    onlyVersion("999");
    sandbox.javaHome("home/.jdks/jdk-new", "999.0.1");
    Outcome outcome = sandbox.run(Map.of(), "tree/mvnw", "-v");
    assertEquals("maven on jdk-new: -v\n", outcome.output());
  }

  @Test
  void aVersionThatOnlyBeginsAlikeIsNotTaken() throws Exception {
    sandbox.installMaven();
    onlyVersion("99");
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "999"));
    assertEquals(1, sandbox.run(Map.of(), "tree/mvnw", "-v").status());
  }

  @Test
  void noJdkIsOnePlainLine() throws Exception {
    sandbox.installMaven();
    onlyVersion("999");
    Outcome outcome = sandbox.run(Map.of(), "tree/mvnw", "verify");
    assertEquals(1, outcome.status());
    assertTrue(outcome.errors().startsWith("mvnw: needs JDK 999 and found none"), outcome::errors);
    assertEquals(1, outcome.errors().lines().count());
  }

  @Test
  void noMavenIsOnePlainLine() throws Exception {
    String tools = folder.resolve("path") + ":" + toolsWithoutMaven();
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "25"));
    Outcome outcome = sandbox.run(Map.of("PATH", tools), "tree/mvnw", "verify");
    assertEquals(1, outcome.status());
    assertTrue(outcome.errors().startsWith("mvnw: needs an installed mvn"), outcome::errors);
    assertEquals(1, outcome.errors().lines().count());
  }

  @Test
  void aFailedFetchSaysWhatMavenSaidAndLeavesNothing() throws Exception {
    sandbox.installMaven();
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "25"));
    Path offline = sandbox.write("no-network", "");
    Outcome outcome = sandbox.run(Map.of(), "tree/mvnw", "verify");
    assertEquals(1, outcome.status());
    assertTrue(outcome.errors().contains("no route to the registry"), outcome::errors);
    Files.delete(offline);
    assertEquals(
        "maven on jdk-on-path: verify\n", sandbox.run(Map.of(), "tree/mvnw", "verify").output());
  }

  @Test
  void mavenIsFetchedOnceAndIntoTheGivenRepository() throws Exception {
    sandbox.installMaven();
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "25"));
    sandbox.run(Map.of(), "tree/mvnw", "-Dmaven.repo.local=/a b/repository", "verify");
    Outcome second = sandbox.run(Map.of(), "tree/mvnw", "verify", "-Dx=one two");
    assertEquals("maven on jdk-on-path: verify -Dx=one two\n", second.output());
    assertEquals("", second.errors());
    List<String> calls = sandbox.read("maven-calls").lines().toList();
    assertEquals(1, calls.size());
    assertTrue(calls.getFirst().contains(" -Dmaven.repo.local=/a b/repository "), calls::toString);
    assertTrue(calls.getFirst().contains("apache-maven:3.9.11:tar.gz:bin"), calls::toString);
  }

  @Test
  void firstStartsAtTheSameTimeFetchOnce() throws Exception {
    sandbox.installMaven();
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "25"));
    List<Running> starts = new ArrayList<>();
    for (int start = 0; start < 4; start++) {
      starts.add(sandbox.start(Map.of(), "tree/mvnw", "verify"));
    }
    for (Running start : starts) {
      assertEquals("maven on jdk-on-path: verify\n", start.outcome().output());
    }
    assertEquals(1, sandbox.read("maven-calls").lines().count());
  }

  @Test
  void aLockOfAProcessThatDiedIsTakenOver() throws Exception {
    sandbox.installMaven();
    sandbox.putOnPath(sandbox.javaHome("jdk-on-path", "25"));
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    sandbox.write("home/.cache/halfcell/maven/lock/owner", dead.pid() + "\n");
    assertEquals(0, sandbox.run(Map.of(), "tree/mvnw", "verify").status());
  }

  /** Asks for a version that this machine has in no install folder. */
  private void onlyVersion(String version) throws IOException {
    Path script = sandbox.tree().resolve(".mvn/launch.sh");
    String text = Files.readString(script);
    assertTrue(text.contains("java_version=25\n"));
    Files.writeString(script, text.replace("java_version=25\n", "java_version=" + version + "\n"));
  }

  /** A folder of what the scripts call, less mvn and java. */
  private Path toolsWithoutMaven() throws IOException {
    for (String tool :
        List.of("sh", "dirname", "basename", "readlink", "mkdir", "rm", "cat", "sleep")) {
      Path installed = Path.of("/bin", tool);
      Path real = Files.exists(installed) ? installed : Path.of("/usr/bin", tool);
      sandbox.script("tools/" + tool, "#!/bin/sh\nexec " + real + " \"$@\"\n");
    }
    return folder.resolve("tools");
  }
}
