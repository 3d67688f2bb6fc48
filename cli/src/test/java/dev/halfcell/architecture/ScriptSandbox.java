package dev.halfcell.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A folder with copies of the two scripts, Java homes and a Maven that only say what they were
 * called with, and an environment in which nothing else of this machine is found first.
 */
final class ScriptSandbox {
  /** How a script ended. */
  record Outcome(int status, String output, String errors) {}

  /** A started script and where its two streams go. */
  record Running(Process process, Path output, Path errors) {
    Outcome outcome() throws IOException, InterruptedException {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("still running: " + Files.readString(errors));
      }
      return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
    }
  }

  /** Says on which home and with which arguments it runs; javac only has to be there. */
  private static final String JAVA =
      """
      #!/bin/sh
      home=$(basename "$(dirname "$(dirname "$0")")")
      for each in "$@"; do
        case $each in
          -XX:AOTCacheOutput=*)
            echo "$home" >> "$SANDBOX/rehearsals"
            [ ! -e "$SANDBOX/no-rehearsal" ] || exit 1
            echo learned > "${each#*=}"
            exit 0 ;;
        esac
      done
      echo "java of $home: $*"
      """;

  /** The installed Maven: counts its calls and packs the Maven that it is asked for. */
  private static final String INSTALLED_MAVEN =
      """
      #!/bin/sh
      echo "$*" >> "$SANDBOX/maven-calls"
      [ ! -e "$SANDBOX/no-network" ] || { echo "[ERROR] no route to the registry"; exit 1; }
      mkdir -p unpacked/apache-maven-3.9.11/bin
      cp "$SANDBOX/pinned-maven" unpacked/apache-maven-3.9.11/bin/mvn
      tar -czf apache-maven-3.9.11-bin.tar.gz -C unpacked apache-maven-3.9.11
      """;

  /** The pinned Maven: says what it got, and makes the jar that a build would make. */
  private static final String PINNED_MAVEN =
      """
      #!/bin/sh
      echo "maven on $(basename "$JAVA_HOME"): $*"
      echo "$*" >> "$SANDBOX/builds"
      [ ! -e "$SANDBOX/broken-source" ] || { echo "[ERROR] Odd.java:[3,1] ';' expected"; exit 1; }
      case $* in *package*) ;; *) exit 0 ;; esac
      echo "[INFO] Building HalfCell framework 0.1.0-SNAPSHOT                         [2/7]"
      [ ! -e "$SANDBOX/edit-meanwhile" ] || touch "$SANDBOX/tree/framework/src/main/java/Source.java"
      : > "$SANDBOX/tree/cli/target/halfcell-cli.jar"
      """;

  private final Path folder;

  ScriptSandbox(Path folder, Path repository) throws IOException {
    this.folder = folder.toRealPath();
    for (String file : List.of("mvnw", "halfcell", ".mvn/launch.sh")) {
      Path copy = tree().resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(repository.resolve(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
    write("tree/pom.xml", "<project/>");
    write("tree/framework/pom.xml", "<project/>");
    write("tree/framework/src/main/java/Source.java", "class Source {}");
    script("pinned-maven", PINNED_MAVEN);
    Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(folder.resolve("path"));
  }

  Path tree() {
    return folder.resolve("tree");
  }

  /** A home below the sandbox whose release file gives this version. */
  Path javaHome(String name, String version) throws IOException {
    script(name + "/bin/java", JAVA);
    script(name + "/bin/javac", JAVA);
    write(name + "/release", "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
    return folder.resolve(name);
  }

  void installMaven() throws IOException {
    script("path/mvn", INSTALLED_MAVEN);
  }

  /** Puts this home's java on PATH, by way of a link, as distributions do. */
  void putOnPath(Path home) throws IOException {
    Files.createSymbolicLink(folder.resolve("path/java"), home.resolve("bin/java"));
  }

  Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  String read(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  Outcome run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    return start(environment, command).outcome();
  }

  Running start(Map<String, String> environment, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", folder.resolve("path") + ":/usr/bin:/bin");
    builder.environment().put("HOME", folder.resolve("home").toString());
    builder.environment().put("SANDBOX", folder.toString());
    builder.environment().putAll(environment);
    Path output = Files.createTempFile(folder, "output", ".txt");
    Path errors = Files.createTempFile(folder, "errors", ".txt");
    Process process =
        builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
    return new Running(process, output, errors);
  }

  Path script(String name, String text) throws IOException {
    Path file = write(name, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }
}
