package dev.halfcell.reliability;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.halfcell.tensor.HalfCellException;
import org.junit.jupiter.api.function.Executable;

/** Holds an error to what every error has: fields, and a line that names what matters. */
final class Refusal {
  private Refusal() {}

  /** Runs what has to be refused, with a message that has each of these parts. */
  static HalfCellException of(Executable call, String... parts) {
    HalfCellException e = assertThrows(HalfCellException.class, call);
    assertFalse(e.problem().subject().isBlank(), e.getMessage());
    assertFalse(e.problem().expected().isBlank(), e.getMessage());
    assertFalse(e.problem().got().isBlank(), e.getMessage());
    for (String part : parts) {
      assertTrue(e.problem().message().contains(part), e.getMessage() + " lacks " + part);
    }
    return e;
  }
}
