package dev.halfcell.rest.job;

import java.time.Instant;
import java.util.Optional;

/**
 * One worker's work on a job.
 *
 * @param number from 1; whoever writes for the job names it, and is refused where it is an old one
 * @param server who started the worker
 * @param pid its process
 * @param startedAt when it was started
 * @param fromStep the steps that its job had behind it when it began to train
 * @param endedAt when it ended; where its server was lost, no later than when its lease was over
 * @param reason why it ended
 * @param exit how its process ended
 */
public record Attempt(
    int number,
    String server,
    Optional<Long> pid,
    Instant startedAt,
    Optional<Long> fromStep,
    Optional<Instant> endedAt,
    Optional<StatusReason.Code> reason,
    Optional<Exit> exit) {}
