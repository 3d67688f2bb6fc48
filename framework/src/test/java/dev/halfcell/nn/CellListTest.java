package dev.halfcell.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.Shape;
import dev.halfcell.tensor.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellListTest {
  @Test
  void hasNoCellBehindTheLast() {
    CellList list = new CellList(new Dense(2, 3));
    assertThrows(ArgumentException.class, () -> list.get(1));
    assertThrows(ArgumentException.class, () -> list.get(-1));
  }

  @Test
  void namesItsCellsByTheirPlaces() {
    Dense first = new Dense(2, 3);
    Dense second = new Dense(3, 4);
    CellList list = new CellList(first, second);
    assertEquals(2, list.size());
    assertEquals(List.of(first, second), list.cells());
    assertSame(second, list.get(1));
    assertEquals(CellPath.ROOT.child("1"), list.paths().get(second));
  }

  @Test
  void isNotCalledItself() {
    Sequential net = new Sequential(new CellList(new ReLU()));
    UsageException e =
        assertThrows(UsageException.class, () -> CellRun.evaluate(net, Shape.of(1), 2));
    assertEquals("/0", e.problem().where());
  }
}
