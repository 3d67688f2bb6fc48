package dev.halfcell.zoo.run;

import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.op.precision.LossScale;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** What a run is, as its checkpoints say it: one goes on only where all of it is the same. */
final class RunIdentity {
  private RunIdentity() {}

  /**
   * That of a job.
   *
   * @param plan as it was asked for, before any demotion
   * @param data the {@link dev.halfcell.data.DataFingerprint} of what it trains on
   */
  static Map<String, String> of(TrainingJob job, PrecisionPlan plan, LossScale scale, String data) {
    return Map.of(
        "network", job.network().name(),
        "level", job.level().label(),
        "half", job.options().precision().half().label(),
        "precision plan", sha256(plan.explain()),
        "loss scale", scale.toString(),
        "optimizer", job.optimizer().toString(),
        "accumulation", job.options().step().accumulation().toString(),
        "length", job.length().toString(),
        "data", data);
  }

  private static String sha256(String text) {
    try {
      MessageDigest sum = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sum.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
