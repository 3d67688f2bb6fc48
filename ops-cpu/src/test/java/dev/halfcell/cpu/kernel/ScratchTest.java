package dev.halfcell.cpu.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ScratchTest {
  private final ScratchPool pool = new ScratchPool();
  private final Map<ScratchPool.Room, Long> taken = new HashMap<>();

  private Scratch kernel(int part) {
    return new Scratch(pool, part, taken);
  }

  @Test
  void whatOneKernelTakesIsAllItsOwn() {
    Scratch first = kernel(0);
    assertNotSame(first.chunk(), first.chunk());
    assertNotSame(first.chunk(), kernel(1).chunk());
    assertNotSame(first.chunk(7), first.chunk(8));
    assertEquals(7, first.chunk(7).values.length);
  }

  @Test
  void kernelsTakeTheSameInTurnAndItCountsOnce() {
    Scratch one = kernel(0);
    Chunk chunk = one.chunk();
    double[] doubles = one.doubles(5);
    Scratch other = kernel(0);
    assertSame(chunk, other.chunk());
    assertSame(doubles, other.doubles(5));
    assertEquals(
        Chunk.bytes(Chunk.SIZE) + 40, taken.values().stream().mapToLong(Long::longValue).sum());
    assertNotSame(chunk, other.chunk());
  }
}
