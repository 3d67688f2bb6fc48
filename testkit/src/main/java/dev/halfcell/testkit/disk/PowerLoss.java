package dev.halfcell.testkit.disk;

/** The machine is off: no code of the run goes on. */
public final class PowerLoss extends RuntimeException {
  private static final long serialVersionUID = 1;

  PowerLoss(long operation) {
    super("at operation " + operation);
  }
}
