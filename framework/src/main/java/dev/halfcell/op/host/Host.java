package dev.halfcell.op.host;

import dev.halfcell.op.Op;

/** Ops that are Java code of a user's, run on the host on every backend. */
public sealed interface Host extends Op permits HostFunction, HostFunctionGradient {}
