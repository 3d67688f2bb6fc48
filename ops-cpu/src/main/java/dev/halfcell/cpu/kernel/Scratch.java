package dev.halfcell.cpu.kernel;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What one part of one kernel's stages works in. It has it to itself while a stage runs; loops that
 * go through samples together share it, so that a loop finds nothing there from call to call but
 * what it says to keep. Other kernels work in the same before and after, so that nothing lasts from
 * run to run.
 */
final class Scratch {
  private final ScratchPool pool;
  private final int part;
  private final Map<ScratchPool.Key, Integer> taken = new HashMap<>();
  private final Map<ScratchPool.Room, Long> sizes;

  /**
   * @param sizes where what is taken is noted, with its bytes
   */
  Scratch(ScratchPool pool, int part, Map<ScratchPool.Room, Long> sizes) {
    this.pool = pool;
    this.part = part;
    this.sizes = sizes;
  }

  /** A chunk of the usual size. */
  Chunk chunk() {
    return chunk(Chunk.SIZE);
  }

  /** One that is as large as a certain piece of work asks. */
  Chunk chunk(int size) {
    return take(Chunk.class, size, Chunk.bytes(size), () -> new Chunk(size));
  }

  /** Arrays of so many floats or more. */
  float[][] floats(int arrays, int count) {
    float[][] made = new float[arrays][];
    Arrays.setAll(made, _ -> chunk(count).values);
    return made;
  }

  /** So many doubles. */
  double[] doubles(int count) {
    return take(double[].class, count, 8L * count, () -> new double[count]);
  }

  /**
   * What maps of channels keep from call to call of a loop over samples: no other loop that such
   * calls alternate with takes it.
   */
  ChannelVectors.Numbers numbers(int size) {
    return take(
        ChannelVectors.Numbers.class,
        size,
        16L * size,
        () ->
            new ChannelVectors.Numbers(
                new float[size], new float[size], new float[size], new float[size]));
  }

  /** The same of sums of channels. */
  ChannelVectors.Totals totals(int size) {
    return take(
        ChannelVectors.Totals.class,
        size,
        24L * size,
        () -> new ChannelVectors.Totals(new double[size], new double[size], new double[size]));
  }

  /** So many 16-bit numbers. */
  short[] halves(int count) {
    return take(short[].class, count, 2L * count, () -> new short[count]);
  }

  /** So many bytes. */
  byte[] bytes(int count) {
    return take(byte[].class, count, count, () -> new byte[count]);
  }

  /**
   * Anything that a part works in.
   *
   * @param size what tells those of one type apart; what is equal is the same
   * @param bytes what it takes at most
   */
  <T> T take(Class<T> type, Object size, long bytes, Supplier<T> maker) {
    ScratchPool.Key key = new ScratchPool.Key(part, type, size);
    var room = new ScratchPool.Room(key, taken.merge(key, 1, Integer::sum) - 1);
    sizes.put(room, bytes);
    return type.cast(pool.get(room, maker));
  }
}
