package dev.halfcell.reliability;

import dev.halfcell.tensor.MemoryException;
import dev.halfcell.tensor.TensorScope;

/** A program that takes memory until there is none, says why it stopped, and ends well. */
final class UntilRefused {
  private static final long PIECE = 128L << 20;

  private UntilRefused() {}

  public static void main(String[] arguments) {
    try (TensorScope scope = TensorScope.open()) {
      while (true) {
        scope.allocate(PIECE);
      }
    } catch (MemoryException e) {
      System.out.println(e.getMessage());
    }
    System.out.println("alive");
  }
}
