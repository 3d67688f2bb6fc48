package dev.halfcell.cli.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class BarProgressTest {
  @Test
  void theBarTakesTheRoomThatTheFiguresLeave() {
    assertEquals(
        "epoch 1/5  40% [########            ] loss 0.5",
        BarProgress.line("epoch 1/5", 0.4, "loss 0.5", 46));
  }

  @Test
  void theLineIsNeverWiderThanTheTerminal() {
    assertEquals("epoch 1/5 100% [####", BarProgress.line("epoch 1/5", 1, "loss 0.5", 20));
  }

  @Test
  void theBarIsNeverWiderThanFortyColumns() {
    assertEquals(
        "epoch 1/5   0% [" + " ".repeat(40) + "] x", BarProgress.line("epoch 1/5", 0, "x", 200));
  }
}
