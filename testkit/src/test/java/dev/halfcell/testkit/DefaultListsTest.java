package dev.halfcell.testkit;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.halfcell.amp.Amp;
import dev.halfcell.amp.precision.Selection;
import dev.halfcell.nn.Dense;
import dev.halfcell.op.PrecisionClass;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The lists that users start from name what the classes of cells and ops say, and no more. */
final class DefaultListsTest {
  @Test
  void theListsAreTheClassesOfCellsAndOps() throws Exception {
    assertEquals(of(PrecisionClass.ALLOW), Amp.whiteList());
    assertEquals(of(PrecisionClass.DENY), Amp.blackList());
  }

  @Test
  void whatIsDoneToAListLeavesTheNextOneAsItIs() {
    Selection list = Amp.whiteList();
    assertNotEquals(list, list.without(Dense.class));
    assertEquals(list, Amp.whiteList());
  }

  private static Selection of(PrecisionClass wanted) throws Exception {
    Set<Class<?>> cells = new HashSet<>(PublicCells.all());
    Set<Class<?>> listed =
        CellCases.all().stream()
            .filter(each -> each.make().get().precision() == wanted)
            .map(CellCase::cell)
            .filter(cells::contains)
            .collect(toSet());
    OpCases.all(1).stream()
        .map(OpCase::op)
        .filter(op -> op.precision() == wanted)
        .map(Object::getClass)
        .filter(op -> !op.getSimpleName().endsWith("Gradient"))
        .forEach(listed::add);
    return Selection.of(listed.toArray(Class<?>[]::new));
  }
}
