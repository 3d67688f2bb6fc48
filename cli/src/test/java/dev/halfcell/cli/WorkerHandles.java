package dev.halfcell.cli;

import dev.halfcell.rest.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The processes that train for a server. Java itself does not tell of arguments as long as a class
 * path, so the system is asked.
 */
public final class WorkerHandles {
  private WorkerHandles() {}

  /** Those of the server of a folder, whichever of its processes started them. */
  public static List<ProcessHandle> of(Path server) {
    String socket = server.toAbsolutePath().toString();
    return ProcessHandle.allProcesses()
        .filter(
            each -> {
              List<String> arguments = arguments(each);
              return arguments.contains(WorkerProcess.class.getName())
                  && arguments.getLast().startsWith(socket);
            })
        .toList();
  }

  /** None where it has ended meanwhile. */
  private static List<String> arguments(ProcessHandle process) {
    try {
      return List.of(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }
}
