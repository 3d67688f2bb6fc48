package dev.halfcell.op;

import dev.halfcell.op.convolution.Convolution;
import dev.halfcell.op.linear.Linear;

/**
 * An op each element of whose result is one sum of products of its first two inputs, plus a bias
 * where it takes one. The sum is kept in FP32 at least, unless {@link
 * dev.halfcell.op.precision.WithPartials} says otherwise.
 */
public sealed interface SumOfProducts extends Op permits Linear, Convolution {}
