package dev.halfcell.amp.config;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.amp.precision.Level;

/**
 * A level and its options: what a configuration says of precision, in HalfCell's terms.
 *
 * @param options to be completed with a seed, a backend and the like
 */
public record PrecisionSettings(Level level, AmpOptions options) {}
