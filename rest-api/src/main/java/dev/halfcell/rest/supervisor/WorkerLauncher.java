package dev.halfcell.rest.supervisor;

import dev.halfcell.disk.Disk;
import dev.halfcell.rest.job.JobId;
import dev.halfcell.rest.job.Trace;
import dev.halfcell.rest.service.JobFolders;
import dev.halfcell.rest.store.Fence;
import dev.halfcell.rest.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts the processes of workers.
 *
 * @param command the program and its arguments
 * @param socket where they connect
 */
record WorkerLauncher(List<String> command, JobFolders folders, Processes processes, Path socket) {
  /** A worker is handed nothing else of the server's environment: a password may be in it. */
  private static final Set<String> HANDED =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LANG",
          "TZ",
          "TMPDIR",
          "LD_LIBRARY_PATH",
          "VIRTUAL_ENV",
          "XDG_CACHE_HOME");

  private static final List<String> KINDS =
      List.of("LC_", "OMP_", "DNNL_", "ONEDNN_", "CUDA_", "NVIDIA_");

  /** Starts one that trains; what it prints is to be read, or it waits. */
  Process start(Fence of, String secret, Optional<Trace> trace) throws IOException {
    Disk.local().createFolders(folders.of(of.job()));
    return started(of.job(), of.attempt(), secret, trace);
  }

  /** Starts one for a task; what it prints is to be read from it. */
  Process startTask(JobId job, int number, String secret) throws IOException {
    return started(job, number, secret, Optional.empty());
  }

  private Process started(JobId job, int number, String secret, Optional<Trace> trace)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folders.of(job).toFile()).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> !isHanded(name));
    environment.put(WorkerProcess.JOB, job.text());
    environment.put(WorkerProcess.ATTEMPT, String.valueOf(number));
    environment.put(WorkerProcess.SECRET, secret);
    trace.ifPresent(part -> environment.put(WorkerProcess.TRACE, part.header()));
    environment.put(Strays.SERVER, String.valueOf(ProcessHandle.current().pid()));
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private static boolean isHanded(String name) {
    return HANDED.contains(name) || KINDS.stream().anyMatch(name::startsWith);
  }
}
