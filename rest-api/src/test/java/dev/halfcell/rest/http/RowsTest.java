package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Every row of the table of bad requests has a test, here or where this says. */
class RowsTest {
  private static final Set<Integer> ROWS =
      Set.of(
          1, 2, 3, 5, 6, 8, 9, 11, 12, 13, 15, 17, 18, 20, 21, 22, 23, 25, 26, 27, 28, 29, 30, 32,
          33, 35, 36, 37, 38, 40, 41, 42, 43, 45, 46, 47, 49, 50, 51, 53, 54, 56, 57, 58, 60, 61,
          62, 64);

  /** Classes below this package's parent. */
  private static final List<String> TESTS =
      List.of(
          "fuzz.StoredRowsTest",
          "http.ConnectionRowsTest",
          "http.DrainTest",
          "http.EventsTest",
          "http.FilesTest",
          "http.JsonDocumentsTest",
          "http.LifecycleTest",
          "http.RawHttpTest",
          "http.SecurityTest",
          "http.SpecificationRowsTest",
          "http.SubmitTest",
          "supervisor.PuppetTest",
          "supervisor.StrangersTest");

  /** Rows whose tests are no JUnit tests of this module, and the files that they are in. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "P56", "cli/src/test/java/dev/halfcell/cli/FullDiskTest.java",
          "P58", "cli/src/test/java/dev/halfcell/cli/ServerFaultsTest.java",
          "P61", "rest-api/dashboard/tests/browser/list.test.ts");

  @Test
  void everyRowHasATest() throws ClassNotFoundException {
    Set<String> rows = new TreeSet<>(ELSEWHERE.keySet());
    for (String tests : TESTS) {
      for (Method method : Class.forName("dev.halfcell.rest." + tests).getDeclaredMethods()) {
        Row row = method.getAnnotation(Row.class);
        if (row != null) {
          boolean runs =
              method.isAnnotationPresent(Test.class)
                  || method.isAnnotationPresent(ParameterizedTest.class);
          assertTrue(runs, () -> method + " is no test");
          rows.addAll(Arrays.asList(row.value()));
        }
      }
    }
    Set<String> all = new TreeSet<>();
    ROWS.forEach(number -> all.add("P" + number));
    assertEquals(all, rows);
  }

  @Test
  void whatIsElsewhereIsThere() {
    Path root = Path.of(System.getProperty("halfcell.root", ".."));
    ELSEWHERE.forEach((row, file) -> assertTrue(Files.exists(root.resolve(file)), row));
  }
}
