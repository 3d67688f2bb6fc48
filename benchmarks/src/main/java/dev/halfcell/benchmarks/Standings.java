package dev.halfcell.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a race gave.
 *
 * @param timings of each contender with each setting that got into the rounds
 * @param peak what the machine reached at most, between them
 * @param unable why a peer cannot compute it here, or not the same, by its name
 */
record Standings(List<Timing> timings, Peak peak, Map<String, String> unable) {
  Standings {
    timings = List.copyOf(timings);
    unable = new TreeMap<>(unable);
  }
}
