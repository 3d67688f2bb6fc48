package dev.halfcell.rest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a body is, it is JSON or it is not, and is told which. */
class JsonDocumentsTest {
  /** They are JSON; but a key that is there twice is a mistake or an attack, and is refused. */
  private static final Set<String> STRICTER =
      Set.of("y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json");

  private static void assertAnswered(Path root, List<JsonDocuments.Document> documents) {
    List<String> wrong = new ArrayList<>();
    try (TestServer server = TestServer.start(root)) {
      for (JsonDocuments.Document document : documents) {
        int status = server.client().bytes("/v1/jobs", document.bytes()).status();
        if (!document.expected().contains(status)) {
          wrong.add(document + " -> " + status + ", not " + document.expected());
        }
      }
      server.client().get("/healthz").expect(200);
      assertEquals(0, server.store().counts().size());
    }
    assertTrue(wrong.isEmpty(), () -> wrong.size() + " wrong:\n" + String.join("\n", wrong));
  }

  @Test
  @Row("P6")
  void eachRuleOfJsonIsKept(@TempDir Path root) {
    List<JsonDocuments.Document> documents = JsonDocuments.all();
    assertTrue(documents.size() >= 318, documents.size() + " documents");
    assertAnswered(root, documents);
  }

  /** Those of JSONTestSuite, whose names begin with what they are; they are no part of this. */
  @Test
  @Tag("slow")
  void theJsonTestSuiteIsAnswered(@TempDir Path root) throws IOException {
    Path suite = Path.of(System.getProperty("halfcell.json.suite"));
    List<JsonDocuments.Document> documents = new ArrayList<>();
    try (Stream<Path> files = Files.list(suite)) {
      for (Path file : files.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        documents.add(new JsonDocuments.Document(name, Files.readAllBytes(file), expected(name)));
      }
    }
    assertEquals(318, documents.size());
    assertAnswered(root, documents);
  }

  private static Set<Integer> expected(String name) {
    if (STRICTER.contains(name)) {
      return JsonDocuments.MALFORMED;
    }
    return switch (name.charAt(0)) {
      case 'y' -> JsonDocuments.WELL_FORMED;
      case 'n' -> JsonDocuments.MALFORMED;
      default -> JsonDocuments.OPEN;
    };
  }
}
