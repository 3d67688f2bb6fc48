package dev.halfcell.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.halfcell.op.elementwise.Add;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import dev.halfcell.tensor.ShapeException;
import dev.halfcell.tensor.TensorSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class RequirementsTest {
  private static final Requirements MUST =
      new Requirements(new Add(), List.of(TensorSpec.of(DType.FP32, 2, 3)), new CellPath("/cell"));

  @Test
  void messagesCountInputsAndAxes() {
    assertEquals("2 inputs", refused(() -> MUST.count(2)).expected());
    assertEquals("2 to 3 inputs", refused(() -> MUST.count(2, 3)).expected());
    Problem axis = refused(() -> MUST.axis(0, 2));
    assertEquals("an input 0 with an axis 2", axis.expected());
    assertEquals("Its axes are counted from 0, the last one is 1.", axis.fix());
  }

  @Test
  void whatHoldsIsLetThrough() {
    MUST.count(1)
        .count(0, 1)
        .count(1, 2)
        .axis(0, 0)
        .axis(0, 1)
        .rank(0, 2, "")
        .rankAtLeast(0, 2, "");
    refused(() -> MUST.axis(0, -1));
    refused(() -> MUST.rankAtLeast(0, 3, ""));
  }

  private static Problem refused(Executable demand) {
    return assertThrows(ShapeException.class, demand).problem();
  }
}
