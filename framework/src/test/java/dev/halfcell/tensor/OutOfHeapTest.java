package dev.halfcell.tensor;

import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

final class OutOfHeapTest {
  private final OutOfMemoryError full = new OutOfMemoryError("Java heap space");

  @Test
  void codeThatCouldNotBeLinkedIsWhyItCouldNot() {
    assertSame(full, OutOfHeap.orThrown(full));
    assertSame(full, OutOfHeap.orThrown(new ExceptionInInitializerError(full)));
    Exception wrapped = new IllegalArgumentException(full);
    assertSame(full, OutOfHeap.orThrown(new BootstrapMethodError("initialization", wrapped)));
  }

  @Test
  void allElseIsWhatWasThrown() {
    LinkageError missing = new NoClassDefFoundError("x");
    assertSame(missing, OutOfHeap.orThrown(missing));
    MemoryException known = new MemoryException(1, 0, full);
    assertSame(known, OutOfHeap.orThrown(known));
  }
}
