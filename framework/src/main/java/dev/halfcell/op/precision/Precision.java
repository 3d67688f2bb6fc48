package dev.halfcell.op.precision;

import dev.halfcell.op.Op;

/** Casts, and the loss scale's part of a step. */
public sealed interface Precision extends Op
    permits Casting,
        CellOutput,
        GradientCheck,
        LargestMagnitude,
        ScaleUpdate,
        Unscale,
        WithPartials {}
