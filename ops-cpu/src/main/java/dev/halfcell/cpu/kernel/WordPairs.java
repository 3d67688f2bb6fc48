package dev.halfcell.cpu.kernel;

import static dev.halfcell.cpu.kernel.Transfers.MEMORY;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** {@link PairVectors} over 32-bit numbers. */
final class WordPairs implements PairVectors {
  private static final VectorSpecies<Integer> BITS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Byte> PLACES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, BITS.vectorBitSize() / 4)));
  private static final int LENGTH = BITS.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int MAGNITUDE = 0x7fffffff;

  private final PairBlocks pooling;
  private final PairBlocks spreading;
  private final int[] left;
  private final int[] pooled;
  private final int[] places;
  private final int infinity;
  private final long pixel;

  /** Of a dtype with these bits of infinity. */
  WordPairs(Windows windows, int infinity) {
    this.infinity = infinity;
    pooling = PairBlocks.pooling(windows, LENGTH);
    spreading = PairBlocks.spreading(windows, LENGTH);
    left = pooling.lanes();
    pooled = spreading.lanes();
    places = spreading.places();
    pixel = 4L * windows.pixel();
  }

  /** Bytes for the places of fewer numbers are no vector of Java's. */
  static boolean fit(Windows windows) {
    return LENGTH == PLACES.length() && PairBlocks.fit(windows, LENGTH);
  }

  @Override
  public boolean pool(long upper, long lower, long y, long position) {
    IntVector highest = IntVector.zero(BITS);
    for (int block = 0; block < pooling.to().length; block++) {
      IntVector lanes = IntVector.fromArray(BITS, left, block * LENGTH);
      long near = 4L * pooling.from()[block];
      long far = 4L * pooling.last()[block];
      IntVector a =
          lanes.selectFrom(
              IntVector.fromMemorySegment(BITS, MEMORY, upper + near, ORDER),
              IntVector.fromMemorySegment(BITS, MEMORY, upper + far, ORDER));
      IntVector b =
          lanes.selectFrom(
              IntVector.fromMemorySegment(BITS, MEMORY, upper + near + pixel, ORDER),
              IntVector.fromMemorySegment(BITS, MEMORY, upper + far + pixel, ORDER));
      IntVector c =
          lanes.selectFrom(
              IntVector.fromMemorySegment(BITS, MEMORY, lower + near, ORDER),
              IntVector.fromMemorySegment(BITS, MEMORY, lower + far, ORDER));
      IntVector d =
          lanes.selectFrom(
              IntVector.fromMemorySegment(BITS, MEMORY, lower + near + pixel, ORDER),
              IntVector.fromMemorySegment(BITS, MEMORY, lower + far + pixel, ORDER));
      IntVector seen = a.and(MAGNITUDE).max(b.and(MAGNITUDE));
      highest = seen.max(c.and(MAGNITUDE)).max(d.and(MAGNITUDE)).max(highest);
      a = a.max(0); // the first place, and 0, where none is above 0
      IntVector largest = a.max(b).max(c.max(d));
      largest.intoMemorySegment(MEMORY, y + 4L * pooling.to()[block], ORDER);
      IntVector.broadcast(BITS, 3)
          .blend(2, c.compare(VectorOperators.EQ, largest))
          .blend(1, b.compare(VectorOperators.EQ, largest))
          .blend(0, a.compare(VectorOperators.EQ, largest))
          .convertShape(VectorOperators.I2B, PLACES, 0)
          .intoMemorySegment(MEMORY, position + pooling.to()[block], ORDER);
    }
    return highest.reduceLanes(VectorOperators.MAX) <= infinity;
  }

  @Override
  public void spread(long d, long maximum, long position, long upper, long lower) {
    IntVector zero = IntVector.zero(BITS);
    for (int block = 0; block < spreading.to().length; block++) {
      int from = spreading.from()[block];
      IntVector largest = IntVector.fromMemorySegment(BITS, MEMORY, maximum + 4L * from, ORDER);
      VectorMask<Integer> above =
          largest.compare(VectorOperators.GT, 0).and(largest.compare(VectorOperators.LE, infinity));
      IntVector slopes =
          zero.blend(IntVector.fromMemorySegment(BITS, MEMORY, d + 4L * from, ORDER), above);
      IntVector where =
          (IntVector)
              ByteVector.fromMemorySegment(PLACES, MEMORY, position + from, ORDER)
                  .convertShape(VectorOperators.B2I, BITS, 0);
      IntVector lanes = IntVector.fromArray(BITS, pooled, block * LENGTH);
      IntVector own = IntVector.fromArray(BITS, places, block * LENGTH);
      IntVector moved = lanes.selectFrom(slopes);
      IntVector meant = lanes.selectFrom(where);
      long to = 4L * spreading.to()[block];
      zero.blend(moved, meant.compare(VectorOperators.EQ, own))
          .intoMemorySegment(MEMORY, upper + to, ORDER);
      zero.blend(moved, meant.compare(VectorOperators.EQ, own.add(2)))
          .intoMemorySegment(MEMORY, lower + to, ORDER);
    }
  }

  @Override
  public void clear(long row) {
    for (int to : spreading.to()) {
      IntVector.zero(BITS).intoMemorySegment(MEMORY, row + 4L * to, ORDER);
    }
  }
}
