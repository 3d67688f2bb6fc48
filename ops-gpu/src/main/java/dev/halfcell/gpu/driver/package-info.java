/**
 * The NVIDIA driver, through JCuda: a device, its memory, streams, events, kernels and graphs.
 * Nothing of JCuda leaves this package. Every call's result is checked, and every object made here
 * is closed by who made it.
 */
@NullMarked
package dev.halfcell.gpu.driver;

import org.jspecify.annotations.NullMarked;
