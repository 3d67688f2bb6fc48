package dev.halfcell.zoo.run;

import dev.halfcell.amp.precision.PrecisionPlan;
import dev.halfcell.data.DataFingerprint;
import dev.halfcell.zoo.data.DataSplit;
import dev.halfcell.zoo.job.JobSpecification;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run is, as its checkpoints say it: one goes on only where all of it is the same. */
final class RunIdentity {
  /** What is below these keys decides what is trained; the others when, where and for whom. */
  private static final List<String> DECIDING =
      List.of("/network", "/dataset", "/precision", "/training");

  private RunIdentity() {}

  /**
   * The keys of a specification that decide what is trained, each by its pointer; and what they do
   * not say.
   *
   * @param resolved with all defaults
   * @param plan as it was asked for, before any demotion
   * @param data what it trains on, and where its epochs are measured what they are measured on
   */
  static Map<String, String> of(JobSpecification resolved, PrecisionPlan plan, DataSplit data) {
    Map<String, String> identity = new TreeMap<>(resolved.said());
    identity.keySet().removeIf(key -> DECIDING.stream().noneMatch(key::startsWith));
    identity.put("precision plan", sha256(plan.explain()));
    identity.put("data", DataFingerprint.of(data.train()));
    if (resolved.training().evaluation().everyEpochs().isPresent()) {
      identity.put("test data", DataFingerprint.of(data.test()));
    }
    return identity;
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
