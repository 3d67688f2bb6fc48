package dev.halfcell.rest.client;

import java.util.Optional;

/**
 * What would be queued.
 *
 * @param network what would be trained
 * @param level its precision level
 * @param epochs how often each sample would be seen
 * @param stepsPerEpoch steps of each
 * @param totalSteps all steps
 * @param batchSize samples of a step
 * @param flopsPerStep floating-point operations of a step, where it is compiled
 * @param memory what it would hold
 */
public record DryRun(
    String network,
    String level,
    int epochs,
    long stepsPerEpoch,
    long totalSteps,
    int batchSize,
    Optional<Long> flopsPerStep,
    Memory memory) {
  /**
   * Memory that a job would hold.
   *
   * @param bytes at most
   * @param limitBytes what a job may hold
   * @param text its parts, for people
   * @param device what lies in the memory that a device has for itself
   */
  public record Memory(long bytes, long limitBytes, String text, Optional<OnDevice> device) {}

  /**
   * Memory of a device that a job would hold.
   *
   * @param name the device's
   * @param bytes at most
   * @param limitBytes what the device has
   */
  public record OnDevice(String name, long bytes, long limitBytes) {}
}
