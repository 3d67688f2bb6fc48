package dev.halfcell.cpu.kernel;

import java.util.Arrays;

/**
 * What belongs to channels, in the places where the elements of a piece stand: loops in which all
 * arrays have one index are the ones that the JIT vectorises. One thread.
 */
final class ChannelLanes {
  private final Channels channels;
  private final Chunk.Order order;
  private int[] channelOf = {};

  ChannelLanes(Channels channels, Chunk.Order order) {
    this.channels = channels;
    this.order = order;
  }

  /** The channel of each element of a piece whose channels change. */
  private int[] channelOf(int count) {
    if (channelOf.length != count) {
      channelOf = new int[count];
      for (int i = 0; i < count; i++) {
        channelOf[i] = order.place(i, count) % channels.count();
      }
    }
    return channelOf;
  }

  /** Puts each element's value where the element stands. */
  void spread(double[] values, double[] lanes, int count, int channel) {
    if (channels.along()) {
      int[] of = channelOf(count);
      for (int i = 0; i < count; i++) {
        lanes[i] = values[of[i]];
      }
    } else {
      Arrays.fill(lanes, 0, count, values[channel]);
    }
  }

  /** The same, rounded to floats. */
  void spread(double[] values, float[] lanes, int count, int channel) {
    if (channels.along()) {
      int[] of = channelOf(count);
      for (int i = 0; i < count; i++) {
        lanes[i] = (float) values[of[i]];
      }
    } else {
      Arrays.fill(lanes, 0, count, (float) values[channel]);
    }
  }

  /** Adds what stands for elements to the totals of their channels, and leaves zeros. */
  void collect(double[] lanes, double[] totals, int count, int channel) {
    if (channels.along()) {
      int[] of = channelOf(count);
      for (int i = 0; i < count; i++) {
        totals[of[i]] += lanes[i];
      }
    } else {
      double total = 0;
      for (int i = 0; i < count; i++) {
        total += lanes[i];
      }
      totals[channel] += total;
    }
    Arrays.fill(lanes, 0, count, 0);
  }
}
