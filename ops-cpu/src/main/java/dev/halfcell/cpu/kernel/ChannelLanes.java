package dev.halfcell.cpu.kernel;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What belongs to channels, in the places where the elements of a piece stand: loops in which all
 * arrays have one index are the ones that the JIT vectorises. One thread.
 */
final class ChannelLanes {
  private final Channels channels;
  private final int[] channelOf;

  ChannelLanes(Channels channels) {
    this.channels = channels;
    int places = channels.along() ? channels.piece() : 0;
    channelOf = IntStream.range(0, places).map(i -> i % channels.count()).toArray();
  }

  /** Puts each element's value where the element stands. */
  void spread(double[] values, double[] lanes, int count, int channel) {
    if (channels.along()) {
      for (int i = 0; i < count; i++) {
        lanes[i] = values[channelOf[i]];
      }
    } else {
      Arrays.fill(lanes, 0, count, values[channel]);
    }
  }

  /** The same, rounded to floats. */
  void spread(double[] values, float[] lanes, int count, int channel) {
    if (channels.along()) {
      for (int i = 0; i < count; i++) {
        lanes[i] = (float) values[channelOf[i]];
      }
    } else {
      Arrays.fill(lanes, 0, count, (float) values[channel]);
    }
  }

  /** Adds what stands for elements to the totals of their channels, and leaves zeros. */
  void collect(double[] lanes, double[] totals, int count, int channel) {
    if (channels.along()) {
      for (int i = 0; i < count; i++) {
        totals[channelOf[i]] += lanes[i];
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
