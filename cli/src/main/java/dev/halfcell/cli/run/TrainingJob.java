package dev.halfcell.cli.run;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.Level;
import dev.halfcell.optim.Optimizer;
import dev.halfcell.zoo.NetworkDefinition;

/**
 * What is to be trained, and how.
 *
 * @param options half, loss scale, seed and backend
 */
public record TrainingJob(
    NetworkDefinition network,
    Optimizer optimizer,
    Level level,
    AmpOptions options,
    Settings.Length length) {}
