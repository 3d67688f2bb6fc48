package dev.halfcell.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    Table table = new Table().row("a", "long cell", "z").row("longer", "b").row("", "c", "y");
    assertEquals(
        List.of("a       long cell  z", "longer  b", "        c          y"), table.lines());
  }
}
