package dev.halfcell.rest.client;

import java.util.Optional;

/**
 * What a precision plan is asked of.
 *
 * @param network its name
 * @param level the precision level; the usual one where there is none
 * @param half the 16-bit dtype, {@code fp16} or {@code bf16}; the usual one where there is none
 * @param batchSize samples of a step; those that are usual for the network where there is none
 */
public record PlanRequest(
    String network, Optional<String> level, Optional<String> half, Optional<Integer> batchSize) {
  /** A network as it is usually trained. */
  public static PlanRequest of(String network) {
    return new PlanRequest(network, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The same at this level. */
  public PlanRequest atLevel(String other) {
    return new PlanRequest(network, Optional.of(other), half, batchSize);
  }

  /** The same with this 16-bit dtype. */
  public PlanRequest withHalf(String other) {
    return new PlanRequest(network, level, Optional.of(other), batchSize);
  }

  /** The same with so many samples in a step. */
  public PlanRequest withBatchSize(int samples) {
    return new PlanRequest(network, level, half, Optional.of(samples));
  }

  String path() {
    Query query = new Query();
    level.ifPresent(said -> query.with("level", said));
    half.ifPresent(said -> query.with("half", said));
    batchSize.ifPresent(samples -> query.with("batchSize", String.valueOf(samples)));
    return "/v1/networks/" + Query.encoded(network) + "/plan" + query;
  }
}
