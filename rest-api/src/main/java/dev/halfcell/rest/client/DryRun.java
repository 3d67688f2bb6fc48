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
 * @param time how long it would take, where a job of the same kind has succeeded there
 */
public record DryRun(
    String network,
    String level,
    int epochs,
    long stepsPerEpoch,
    long totalSteps,
    int batchSize,
    Optional<Long> flopsPerStep,
    Memory memory,
    Optional<Time> time) {
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

  /**
   * Time that a job would take, as another one of the same kind took.
   *
   * @param seconds from the start of its worker to its end, without its time in the queue
   * @param secondsPerStep of these, for each step
   * @param measuredBy the id of the job that took so long for a step
   */
  public record Time(double seconds, double secondsPerStep, String measuredBy) {}
}
