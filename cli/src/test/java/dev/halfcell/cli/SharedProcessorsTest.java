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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What Linux says of the threads of a server and of its worker: who runs where, and who first. */
@EnabledOnOs(OS.LINUX)
@Timeout(240)
@Tag("process")
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

  /** A tenth of a second at least, and again some seconds later where another test runs beside. */
  private static void awaitProcessorsOfTheirOwn(ServiceProcess service) throws Exception {
    long worker = service.awaitWorker().pid();
    Set<String> seen = Set.of();
    while (seen.isEmpty() || !seen.stream().allMatch(processors -> processors.matches("\\d+"))) {
      TimeUnit.MILLISECONDS.sleep(5);
      List<Path> helpers = threads(worker, "halfcell-cpu-");
      Set<String> now = new HashSet<>();
      for (Path helper : helpers) {
        now.add(processors(helper));
      }
      seen = now.size() == helpers.size() ? now : Set.of();
    }
  }

  @Test
  void threadsThatTrainHaveAProcessorEachAndThoseThatCompileTheServerComeLast() throws Exception {
    Path data = TinyFashion.write(Files.createDirectory(folder.resolve("data")));
    try (ServiceProcess service =
            ServiceProcess.serve(folder.resolve("service"), data, List.of(), Map.of());
        HalfCellClient client = new HalfCellClient(ClientSettings.at(service.address()))) {
      String job = client.submit(JobSpecification.ofJson(JOB)).job().id();
      awaitProcessorsOfTheirOwn(service);
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
