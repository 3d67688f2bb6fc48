package dev.halfcell.op.pooling;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.op.Padding2d;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Shape;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WindowsTest {
  @Test
  void windowsStartInThePaddingAndAreCutToTheImage() {
    Window2d windows = new Window2d(3, 4, 2, 3, new Padding2d(1, 2, 3, 1));
    assertEquals(4, windows.outputHeight(6));
    assertEquals(3, windows.outputWidth(7));
    assertEquals(List.of(-1, 1, 3, 5), rows(i -> windows.top(i, 6), 4));
    assertEquals(List.of(2, 3, 3, 1), rows(i -> windows.rowsInside(i, 6), 4));
    assertEquals(List.of(-3, 0, 3), rows(j -> windows.left(j, 7), 3));
    assertEquals(List.of(1, 4, 4), rows(j -> windows.columnsInside(j, 7), 3));
    assertEquals(3, windows.mostRows(6));
    assertEquals(4, windows.mostColumns(7));
  }

  /** The bounds that AdaptiveAvgPool2d has in PyTorch, by its start_index and end_index. */
  @Test
  void adaptiveWindowsCoverTheImageAndOverlapWhereItDoesNotDivide() {
    AdaptiveWindow2d windows = new AdaptiveWindow2d(3, 2);
    assertEquals(3, windows.outputHeight(7));
    assertEquals(2, windows.outputWidth(4));
    assertEquals(List.of(0, 2, 4), rows(i -> windows.top(i, 7), 3));
    assertEquals(List.of(3, 3, 3), rows(i -> windows.rows(i, 7), 3));
    assertEquals(List.of(0, 2), rows(j -> windows.left(j, 4), 2));
    assertEquals(List.of(2, 2), rows(j -> windows.columns(j, 4), 2));
    assertEquals(List.of(0, 1, 3), rows(i -> windows.top(i, 5), 3));
    assertEquals(List.of(2, 3, 2), rows(i -> windows.rows(i, 5), 3));
  }

  @Test
  void noAdaptiveWindowIsLargerThanTheLargest() {
    assertEquals(2, new AdaptiveWindow2d(3, 1).mostRows(6));
    assertEquals(4, new AdaptiveWindow2d(3, 1).mostRows(7));
    assertEquals(1, new AdaptiveWindow2d(3, 1).mostRows(1));
    assertEquals(5, new AdaptiveWindow2d(3, 1).mostColumns(5));
    assertEquals(4, new AdaptiveWindow2d(3, 2).mostColumns(5));
  }

  @Test
  void positionsTakeAByteWhereAWindowHasNoMorePlaces() {
    Shape image = Shape.of(1, 1, 40, 40);
    assertEquals(DType.UINT8, MaxPool2d.position(Window2d.square(16, 1, 0), image));
    Window2d larger = new Window2d(16, 17, 1, 1, Padding2d.NONE);
    assertEquals(DType.INT32, MaxPool2d.position(larger, image));
    assertEquals(DType.INT32, MaxPool2d.position(AdaptiveWindow2d.GLOBAL, image));
  }

  private static List<Integer> rows(IntUnaryOperator of, int count) {
    return IntStream.range(0, count).map(of).boxed().toList();
  }
}
