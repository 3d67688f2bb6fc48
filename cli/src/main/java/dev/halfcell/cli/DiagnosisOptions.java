package dev.halfcell.cli;

import dev.halfcell.amp.diagnosis.Demotion;
import dev.halfcell.zoo.job.JobSpecification;
import java.util.Map;
import picocli.CommandLine.Option;

/** What is watched while a network trains. */
final class DiagnosisOptions {
  private static final String OPTIONS = "/precision/options/";

  private final SaidKeys keys = new SaidKeys();

  /** The specification with what these options say in the place of what it says. */
  JobSpecification over(JobSpecification specification) {
    return keys.over(specification);
  }

  @Option(
      names = "--diagnose",
      description =
          "Name the cell and op that first gave Inf or NaN in each step that overflows (the step"
              + " is run once more, op by op), and save the last such batch that was left out, with the"
              + " state of its step, for `halfcell diagnose`.")
  void diagnose(boolean naming) {
    keys.say(OPTIONS + "diagnose", naming);
  }

  @Option(
      names = "--fp-exceptions",
      paramLabel = "oflo|inv|div0[,...]",
      converter = OptionValues.Traps.class,
      description =
          "For debugging: run op by op, and end the training at the first op that overflows (oflo),"
              + " makes a NaN of numbers (inv) or divides by 0 (div0).")
  void fpExceptions(OptionValues.Traps.Named traps) {
    keys.say(OPTIONS + "fpExceptions", traps.traps());
  }

  @Option(
      names = "--demotion",
      paramLabel = "K,W",
      converter = OptionValues.DemotionRule.class,
      description =
          "Move a cell to fp32 that was the first to overflow in K of W steps, such as 3,200."
              + " Default: none is moved.")
  void demotion(Demotion rule) {
    keys.say(OPTIONS + "demotion", Map.of("after", rule.after(), "within", rule.within()));
  }
}
