package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What users of services like this one complain of most has a test each, which carries the
 * complaint's name as its tag and can be run by it.
 */
final class ComplaintsTest {
  /** The project that was complained to, and the number of the complaint. */
  private static final List<String> COMPLAINTS =
      List.of(
          // A job waits, and nobody says for what.
          "Ray-55133",
          "Ray-31008",
          // A client that is cut off while it submits leaves a job that it does not know of.
          "Ray-62766",
          // A job that waits is stopped, and runs.
          "Ray-58353",
          // History and logs are gone after a restart.
          "Ray-44218",
          "Ray-44561",
          // A state never becomes an end.
          "KubeRay-2161",
          "KubeRay-3903",
          "MLflow-1832",
          // Processes are left.
          "Ray-50031",
          // Who saves has less time than it was given.
          "Ray-31274",
          // A connection breaks off, and the end of the log is taken for the end of the job.
          "Ray-57002",
          "Ray-60665",
          // The last line of the log is missing.
          "Ray-46413",
          // A submission that is repeated makes two jobs.
          "Ray-31356",
          "Ray-53946",
          // Lists are slow where there is much to list.
          "Ray-35202",
          "Ray-55010",
          "MLflow-11260",
          // Curves of 100,000 points are slow or wrong.
          "MLflow-1571",
          "MLflow-24169",
          "MLflow-11444",
          // The database is locked; two processes make its tables.
          "MLflow-PR-6490",
          "MLflow-4353",
          // Files are read by way of an artifact's name.
          "CVE-2023-6977",
          "CVE-2024-1483",
          // Whoever can connect can run something.
          "CVE-2023-48022",
          "CVE-2026-27482",
          // A paused job keeps the machine.
          "Kubeflow-trainer-1904",
          // A job that goes on starts at step 0, or shows the wrong state.
          "Kubeflow-sdk-803",
          "Determined-2635");

  private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]+)\"\\)");

  @Test
  void eachComplaintHasATestWithItsName() throws IOException {
    TreeSet<String> without = new TreeSet<>(COMPLAINTS);
    without.removeAll(tags());
    assertEquals(List.of(), List.copyOf(without), "complaints without a test");
  }

  private static Set<String> tags() throws IOException {
    Path root = Path.of(System.getProperty("halfcell.root"));
    Set<String> tags = new TreeSet<>();
    for (String module : List.of("rest-api", "cli")) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          tags.addAll(
              TAG.matcher(Files.readString(file))
                  .results()
                  .map(found -> found.group(1))
                  .collect(Collectors.toSet()));
        }
      }
    }
    return tags;
  }
}
