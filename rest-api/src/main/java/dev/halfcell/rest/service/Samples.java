package dev.halfcell.rest.service;

import java.util.List;

/**
 * What a model is asked of.
 *
 * @param sizes of the array [N, C, H, W]
 * @param numbers its elements, the last axis fastest
 * @param pixels whether they are whole numbers from 0 to 255, to be scaled as those of the data set
 *     are
 */
public record Samples(List<Integer> sizes, List<Float> numbers, boolean pixels) {
  public Samples {
    sizes = List.copyOf(sizes);
    numbers = List.copyOf(numbers);
  }

  /** How many there are. */
  public int count() {
    return sizes.getFirst();
  }
}
