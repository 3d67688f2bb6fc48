package dev.halfcell.cli;

import dev.halfcell.amp.diagnosis.Demotion;
import dev.halfcell.amp.diagnosis.Diagnosis;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What is watched while a network trains. */
final class DiagnosisOptions {
  @Option(
      names = "--diagnose",
      description =
          "Name the cell and op that first gave Inf or NaN in each step that overflows (the step"
              + " is run once more, op by op), and save the last such batch that was left out, with the"
              + " state of its step, for `halfcell diagnose`.")
  private boolean diagnose;

  @Option(
      names = "--fp-exceptions",
      paramLabel = "oflo|inv|div0[,...]",
      converter = OptionValues.Traps.class,
      description =
          "For debugging: run op by op, and end the training at the first op that overflows (oflo),"
              + " makes a NaN of numbers (inv) or divides by 0 (div0).")
  private Optional<Diagnosis> exceptions;

  @Option(
      names = "--demotion",
      paramLabel = "K,W",
      converter = OptionValues.DemotionRule.class,
      description =
          "Move a cell to fp32 that was the first to overflow in K of W steps, such as 3,200."
              + " Default: none is moved.")
  private Optional<Demotion> demotion;

  Diagnosis diagnosis() {
    Diagnosis trapped = exceptions.orElse(Diagnosis.off());
    Diagnosis named = diagnose ? trapped.naming() : trapped;
    return demotion.map(named::demoting).orElse(named);
  }
}
