package dev.halfcell.rest.supervisor;

import java.time.Duration;

/**
 * How long what may take.
 *
 * @param start from the start of a worker's process until it trains
 * @param silence what a worker may be silent for before it counts as dead
 * @param lease how long a job is held without word of its server
 * @param renewal how often a lease is renewed
 * @param cancelGrace what a worker has to save its state when its job is cancelled, where the job
 *     does not say
 * @param stopGrace the same where it stops for another reason
 * @param kill what it has between SIGTERM and SIGKILL
 * @param exit what its process has to end in after it has said how its training ended
 * @param look how often processes are looked at
 * @param poll how often the queue is asked and states of running jobs are read
 * @param scan how often waiting jobs are gone through for their deadlines
 */
public record Timing(
    Duration start,
    Duration silence,
    Duration lease,
    Duration renewal,
    Duration cancelGrace,
    Duration stopGrace,
    Duration kill,
    Duration exit,
    Duration look,
    Duration poll,
    Duration scan) {
  /** What servers use. */
  public static Timing usual() {
    return new Timing(
        Duration.ofSeconds(120),
        Duration.ofSeconds(10),
        Duration.ofSeconds(15),
        Duration.ofSeconds(3),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        Duration.ofMillis(500),
        Duration.ofSeconds(5),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5));
  }

  /** The same with another start. */
  public Timing start(Duration other) {
    return new Timing(
        other, silence, lease, renewal, cancelGrace, stopGrace, kill, exit, look, poll, scan);
  }

  /** The same with another silence. */
  public Timing silence(Duration other) {
    return new Timing(
        start, other, lease, renewal, cancelGrace, stopGrace, kill, exit, look, poll, scan);
  }

  /** The same with another lease. */
  public Timing lease(Duration other) {
    return new Timing(
        start, silence, other, renewal, cancelGrace, stopGrace, kill, exit, look, poll, scan);
  }

  /** The same with another scan. */
  public Timing scan(Duration other) {
    return new Timing(
        start, silence, lease, renewal, cancelGrace, stopGrace, kill, exit, look, poll, other);
  }
}
