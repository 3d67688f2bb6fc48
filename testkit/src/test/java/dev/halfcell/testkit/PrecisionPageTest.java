package dev.halfcell.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.Op;
import dev.halfcell.op.PrecisionClass;
import dev.halfcell.op.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on mixed precision says the class of every op, and of no op another one. */
final class PrecisionPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("halfcell.root", "."), "docs", "mixed-precision.md");
  private static final Pattern ROW = Pattern.compile("\\| ([A-Z]+): [^|]*\\|(.*)\\|");
  private static final Pattern NAME = Pattern.compile("`([A-Za-z.]+)`");

  @Test
  void thePageSaysTheClassOfEachOp() throws IOException {
    Map<String, PrecisionClass> page = page();
    Map<String, Optional<PrecisionClass>> said = new TreeMap<>();
    Map<String, Optional<PrecisionClass>> right = new TreeMap<>();
    for (Op op : OpCases.all(1).stream().map(OpCase::op).toList()) {
      if (op instanceof Host) {
        continue; // each says its own
      }
      String name = op.getClass().getSimpleName();
      said.put(name, said(page, op));
      right.put(name, Optional.of(op.precision()));
    }
    assertEquals(right, said);
  }

  /** By the op's own name, else that of the op it is the gradient of, else its family's. */
  private static Optional<PrecisionClass> said(Map<String, PrecisionClass> page, Op op) {
    String name = op.getClass().getSimpleName();
    String family = op.getClass().getPackageName().replace("dev.halfcell.", "");
    return Stream.of(name, name.replaceAll("Gradient$", ""), family)
        .flatMap(key -> Optional.ofNullable(page.get(key)).stream())
        .findFirst();
  }

  /** {@code | ALLOW: gains from half | `op.linear`, `Exp` |}. */
  private static Map<String, PrecisionClass> page() throws IOException {
    Map<String, PrecisionClass> page = new TreeMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        NAME.matcher(row.group(2))
            .results()
            .forEach(name -> page.put(name.group(1), PrecisionClass.valueOf(row.group(1))));
      }
    }
    return page;
  }
}
