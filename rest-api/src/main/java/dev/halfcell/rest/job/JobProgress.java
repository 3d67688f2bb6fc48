package dev.halfcell.rest.job;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a training is.
 *
 * @param step steps taken
 * @param totalSteps all that it will take, where that is known
 * @param epoch the epoch it is in, from 1
 * @param epochs all of them
 * @param fraction of the whole, from 0 to 1
 * @param etaSeconds what is left at the speed of late
 * @param updatedAt when its worker last told of it
 */
public record JobProgress(
    long step,
    Optional<Long> totalSteps,
    int epoch,
    int epochs,
    double fraction,
    Optional<Double> etaSeconds,
    Instant updatedAt) {}
