package dev.halfcell.reliability;

import dev.halfcell.backend.Backends;
import dev.halfcell.tensor.HalfCellException;

/** A program that opens the CPU backend twice where it cannot be, and prints what it is told. */
final class OpenedTwice {
  private OpenedTwice() {}

  public static void main(String[] arguments) {
    for (int i = 0; i < 2; i++) {
      try {
        Backends.open("cpu").close();
      } catch (HalfCellException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
