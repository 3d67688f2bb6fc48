package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** {@link PairVectors} over 16-bit numbers. */
final class HalfPairs implements PairVectors {
  private static final VectorSpecies<Short> BITS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Byte> PLACES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(BITS.vectorBitSize() / 2));
  private static final int LENGTH = BITS.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final short MAGNITUDE = 0x7fff;

  private final PairBlocks pooling;
  private final PairBlocks spreading;
  private final short[] left;
  private final short[] pooled;
  private final short[] places;
  private final short infinity;
  private final long pixel;

  /** Of a dtype with these bits of infinity. */
  HalfPairs(Windows windows, short infinity) {
    this.infinity = infinity;
    pooling = PairBlocks.pooling(windows, LENGTH);
    spreading = PairBlocks.spreading(windows, LENGTH);
    left = shorts(pooling.lanes());
    pooled = shorts(spreading.lanes());
    places = shorts(spreading.places());
    pixel = 2L * windows.pixel();
  }

  static boolean fit(Windows windows) {
    return PairBlocks.fit(windows, LENGTH);
  }

  private static short[] shorts(int[] values) {
    short[] shorts = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      shorts[i] = (short) values[i];
    }
    return shorts;
  }

  @Override
  public boolean pool(long upper, long lower, long y, long position) {
    ShortVector highest = ShortVector.zero(BITS);
    for (int block = 0; block < pooling.to().length; block++) {
      ShortVector lanes = ShortVector.fromArray(BITS, left, block * LENGTH);
      long near = 2L * pooling.from()[block];
      long far = 2L * pooling.last()[block];
      ShortVector a =
          lanes.selectFrom(
              ShortVector.fromMemorySegment(BITS, MEMORY, upper + near, ORDER),
              ShortVector.fromMemorySegment(BITS, MEMORY, upper + far, ORDER));
      ShortVector b =
          lanes.selectFrom(
              ShortVector.fromMemorySegment(BITS, MEMORY, upper + near + pixel, ORDER),
              ShortVector.fromMemorySegment(BITS, MEMORY, upper + far + pixel, ORDER));
      ShortVector c =
          lanes.selectFrom(
              ShortVector.fromMemorySegment(BITS, MEMORY, lower + near, ORDER),
              ShortVector.fromMemorySegment(BITS, MEMORY, lower + far, ORDER));
      ShortVector d =
          lanes.selectFrom(
              ShortVector.fromMemorySegment(BITS, MEMORY, lower + near + pixel, ORDER),
              ShortVector.fromMemorySegment(BITS, MEMORY, lower + far + pixel, ORDER));
      ShortVector seen = a.and(MAGNITUDE).max(b.and(MAGNITUDE));
      highest = seen.max(c.and(MAGNITUDE)).max(d.and(MAGNITUDE)).max(highest);
      a = a.max((short) 0); // the first place, and 0, where none is above 0
      ShortVector largest = a.max(b).max(c.max(d));
      largest.intoMemorySegment(MEMORY, y + 2L * pooling.to()[block], ORDER);
      ShortVector.broadcast(BITS, 3)
          .blend((short) 2, c.compare(VectorOperators.EQ, largest))
          .blend((short) 1, b.compare(VectorOperators.EQ, largest))
          .blend((short) 0, a.compare(VectorOperators.EQ, largest))
          .convertShape(VectorOperators.S2B, PLACES, 0)
          .intoMemorySegment(MEMORY, position + pooling.to()[block], ORDER);
    }
    return highest.reduceLanes(VectorOperators.MAX) <= infinity;
  }

  @Override
  public void spread(long d, long maximum, long position, long upper, long lower) {
    ShortVector zero = ShortVector.zero(BITS);
    for (int block = 0; block < spreading.to().length; block++) {
      int from = spreading.from()[block];
      ShortVector largest = ShortVector.fromMemorySegment(BITS, MEMORY, maximum + 2L * from, ORDER);
      VectorMask<Short> above =
          largest
              .compare(VectorOperators.GT, (short) 0)
              .and(largest.compare(VectorOperators.LE, infinity));
      ShortVector slopes =
          zero.blend(ShortVector.fromMemorySegment(BITS, MEMORY, d + 2L * from, ORDER), above);
      ShortVector where =
          (ShortVector)
              ByteVector.fromMemorySegment(PLACES, MEMORY, position + from, ORDER)
                  .convertShape(VectorOperators.B2S, BITS, 0);
      ShortVector lanes = ShortVector.fromArray(BITS, pooled, block * LENGTH);
      ShortVector own = ShortVector.fromArray(BITS, places, block * LENGTH);
      ShortVector moved = lanes.selectFrom(slopes);
      ShortVector meant = lanes.selectFrom(where);
      long to = 2L * spreading.to()[block];
      zero.blend(moved, meant.compare(VectorOperators.EQ, own))
          .intoMemorySegment(MEMORY, upper + to, ORDER);
      zero.blend(moved, meant.compare(VectorOperators.EQ, own.add((short) 2)))
          .intoMemorySegment(MEMORY, lower + to, ORDER);
    }
  }

  @Override
  public void clear(long row) {
    for (int to : spreading.to()) {
      ShortVector.zero(BITS).intoMemorySegment(MEMORY, row + 2L * to, ORDER);
    }
  }
}
