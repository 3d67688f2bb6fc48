package dev.halfcell.rest.supervisor;

import dev.halfcell.rest.worker.WorkerProcess;
import dev.halfcell.zoo.host.JavaOptions;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a worker is started: a program and its arguments, without a shell. */
@FunctionalInterface
public interface WorkerCommand {
  /**
   * The command.
   *
   * @param socket where the server listens
   */
  List<String> of(Path socket);

  /**
   * The Java and the classes of this process, in a process group of its own, niced so that a server
   * answers fast while all processors train. Each of the two programs in front becomes the next
   * one: the process that was started is the worker itself.
   */
  static WorkerCommand ofThisProgram() {
    return ofThisProgram(System.getenv().getOrDefault("HALFCELL_JAVA_OPTS", ""));
  }

  private static WorkerCommand ofThisProgram(String more) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(part -> Path.of(part).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    List<String> options = Arrays.stream(more.split("\\s+")).filter(o -> !o.isEmpty()).toList();
    return socket ->
        Stream.of(
                List.of("setsid", "nice", "-n", "10", java),
                JavaOptions.fixed(),
                JavaOptions.learned(),
                options,
                List.of("-cp", classes, WorkerProcess.class.getName(), socket.toString()))
            .flatMap(List::stream)
            .toList();
  }
}
