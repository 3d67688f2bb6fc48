package dev.halfcell.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.halfcell.rest.client.ClientSettings;
import dev.halfcell.rest.client.HalfCellClient;
import dev.halfcell.zoo.job.JobSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What Linux says of the threads of a server and of its worker: who runs where, and who first. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class SharedProcessorsTest {
  private static final int NICE = 16; // behind a name in /proc/PID/stat; the 19th field of all
  private static final String JOB =
      """
      {
        "network": {"name": "lenet5"}, "device": "cpu", "dataset": {"name": "synthetic"},
        "precision": {"level": "O2"}, "training": {"steps": 1000000, "batchSize": 128}
      }
      """;

  @TempDir private Path folder;

  @BeforeAll
  static void requireSeveralProcessors() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "a single processor");
  }

  private static List<Path> threads(long process, String name) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/" + process + "/task"))) {
      return all.filter(thread -> named(thread, name)).toList();
    }
  }

  private static boolean named(Path thread, String name) {
    try {
      return Files.readString(thread.resolve("comm")).startsWith(name);
    } catch (IOException e) { // it has ended meanwhile
      return false;
    }
  }

  private static String processors(Path thread) throws IOException {
    return Files.readAllLines(thread.resolve("status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .findFirst()
        .orElseThrow()
        .replaceFirst("\\S+\\s+", "");
  }

  private static int nice(Path thread) throws IOException {
    String stat = Files.readString(thread.resolve("stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE]);
  }

  private static List<Path> awaitHelpers(ServiceProcess service) throws Exception {
    long worker = service.awaitWorker().pid();
    List<Path> helpers = threads(worker, "halfcell-cpu-");
    while (helpers.isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(50);
      helpers = threads(worker, "halfcell-cpu-");
    }
    TimeUnit.SECONDS.sleep(1); // they begin by it, but have to begin
    return helpers;
  }

  @Test
  void threadsThatTrainHaveAProcessorEachAndThoseThatCompileTheServerComeLast() throws Exception {
    Path data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    try (ServiceProcess service =
            ServiceProcess.serve(folder.resolve("service"), data, List.of(), Map.of());
        HalfCellClient client = new HalfCellClient(ClientSettings.at(service.address()))) {
      String job = client.submit(JobSpecification.ofJson(JOB)).job().id();
      Set<String> seen = new HashSet<>();
      List<Path> helpers = awaitHelpers(service);
      for (Path helper : helpers) {
        String processors = processors(helper);
        assertTrue(processors.matches("\\d+"), processors);
        assertTrue(seen.add(processors), processors);
      }
      List<Path> compilers = threads(service.pid(), "C1 CompilerThre");
      assertTrue(!compilers.isEmpty());
      for (Path compiler : compilers) {
        assertEquals(10, nice(compiler));
      }
      var _ = client.cancel(job, Duration.ZERO);
      assertEquals(0, service.end());
    }
  }
}
