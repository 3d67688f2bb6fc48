package dev.halfcell.rest.client;

import dev.halfcell.zoo.job.JobSpecification;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be compared: each level with each seed is a job.
 *
 * @param specification what all of them have in common
 * @param levels the precision levels, from 1 to 5
 * @param seeds up to 20; that of the specification where there are none
 * @param key what tells this submission from another of the same; a new one where left out
 */
public record ComparisonRequest(
    JobSpecification specification, List<String> levels, List<Long> seeds, Optional<String> key) {
  public ComparisonRequest {
    levels = List.copyOf(levels);
    seeds = List.copyOf(seeds);
  }

  /** A job at each of these levels. */
  public static ComparisonRequest of(JobSpecification specification, List<String> levels) {
    return new ComparisonRequest(specification, levels, List.of(), Optional.empty());
  }

  /** The same with each of these seeds. */
  public ComparisonRequest withSeeds(List<Long> each) {
    return new ComparisonRequest(specification, levels, each, key);
  }

  /** The same with a key of one's own. */
  public ComparisonRequest withKey(String own) {
    return new ComparisonRequest(specification, levels, seeds, Optional.of(own));
  }

  String json() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("specification", Json.raw(specification.json()));
    body.put("levels", levels);
    if (!seeds.isEmpty()) {
      body.put("seeds", seeds);
    }
    return Json.text(body);
  }
}
