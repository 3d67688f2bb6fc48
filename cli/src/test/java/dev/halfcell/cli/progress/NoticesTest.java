package dev.halfcell.cli.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.halfcell.train.StepResult;
import dev.halfcell.train.TrainEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NoticesTest {
  private static List<String> said(boolean names, boolean overflow) {
    List<String> lines = new ArrayList<>();
    StepResult result = new StepResult(2, overflow, 8, 8, !overflow, 1);
    new Notices(lines::add, names, List::of)
        .on(new TrainEvent.StepTaken(3, 1, 4, result, 0.1, 1, 0));
    return lines;
  }

  @Test
  void whatTheBackendDoesInAnotherWayIsSaid() {
    List<String> said = new ArrayList<>();
    new Notices(said::add, true, List::of).on(new TrainEvent.BackendNoticed("without a library"));
    assertEquals(List.of("without a library"), said);
  }

  @Test
  void anOverflowThatNoOpGivesIsSaidToBeSo() {
    assertEquals(List.of("step 3: overflow as compiled, all is finite op by op"), said(true, true));
    assertEquals(List.of(), said(false, true), "nobody searched");
    assertEquals(List.of(), said(true, false));
  }
}
