package dev.halfcell.rest.client;

import dev.halfcell.rest.job.JobState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job as a server tells of it. Words that newer servers may add to are texts.
 *
 * @param id its name for programs
 * @param owner who submitted it
 * @param externalId the submitter's own name for it
 * @param name what people call it
 * @param labels what they find it by
 * @param notes what they say of it
 * @param priority jobs of a higher one go first
 * @param pinned whether it is kept however old it gets
 * @param network what it trains
 * @param level its precision level
 * @param state where it is in its life
 * @param statusReason why
 * @param progress how far it is, once the worker of its last attempt has said
 * @param metrics the latest values by their names
 * @param attempt the number of the last attempt, 0 before the first
 * @param estimatedBytes the memory that it will hold
 * @param createdAt when it was accepted
 * @param startedAt when it began to train
 * @param endedAt when it was over
 * @param resumedFrom what it goes on from
 * @param revision grows with each change
 * @param specification what was sent; lists leave it out
 * @param resolved the same with all defaults filled in; lists leave it out
 * @param attempts its workers; lists leave them out
 * @param exit how its last worker ended
 * @param failure why it failed
 */
public record Job(
    String id,
    String owner,
    Optional<String> externalId,
    Optional<String> name,
    Map<String, String> labels,
    Optional<String> notes,
    int priority,
    boolean pinned,
    String network,
    String level,
    JobState state,
    Reason statusReason,
    Optional<Progress> progress,
    Map<String, Double> metrics,
    int attempt,
    long estimatedBytes,
    Instant createdAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<Origin> resumedFrom,
    long revision,
    Optional<Map<String, @Nullable Object>> specification,
    Optional<Map<String, @Nullable Object>> resolved,
    Optional<List<Attempt>> attempts,
    Optional<Exit> exit,
    Optional<Failure> failure) {
  public Job {
    labels = Collections.unmodifiableMap(labels);
    metrics = Collections.unmodifiableMap(metrics);
  }

  /**
   * Why a job is in its state.
   *
   * @param code for programs
   * @param message for people
   * @param since when this came to be so
   */
  public record Reason(String code, String message, Instant since) {}

  /**
   * How far a training is.
   *
   * @param step steps taken
   * @param totalSteps all that it will take, where that is known
   * @param epoch the epoch it is in, from 1
   * @param epochs all of them
   * @param fraction of the whole, from 0 to 1
   * @param etaSeconds what is left
   * @param updatedAt when its worker last told of it
   */
  public record Progress(
      long step,
      Optional<Long> totalSteps,
      int epoch,
      int epochs,
      double fraction,
      Optional<Double> etaSeconds,
      Instant updatedAt) {}

  /**
   * What a job goes on from.
   *
   * @param job the one before it
   * @param checkpoint of that job
   * @param step its step
   */
  public record Origin(String job, String checkpoint, long step) {}

  /**
   * One worker of a job.
   *
   * @param number from 1
   * @param server where it ran
   * @param startedAt when it began
   * @param fromStep the steps that lay behind the job when it began to train, if it did
   * @param endedAt when it was over
   * @param reason why it was over
   */
  public record Attempt(
      int number,
      String server,
      Instant startedAt,
      Optional<Long> fromStep,
      Optional<Instant> endedAt,
      Optional<String> reason) {}

  /**
   * How a worker's process ended.
   *
   * @param code its exit code
   * @param signal the signal that ended it
   * @param graceful whether it had said how it ends
   */
  public record Exit(Optional<Integer> code, Optional<Integer> signal, boolean graceful) {}

  /**
   * Why a job failed.
   *
   * @param type the kind of failure, for programs
   * @param detail for people
   * @param cell where in the network
   * @param step when
   * @param oomKilled whether too much memory ended its worker
   * @param retryable whether the same may do better another time
   * @param logTail the last lines of its log
   */
  public record Failure(
      String type,
      String detail,
      Optional<String> cell,
      Optional<Long> step,
      boolean oomKilled,
      boolean retryable,
      String logTail) {}
}
