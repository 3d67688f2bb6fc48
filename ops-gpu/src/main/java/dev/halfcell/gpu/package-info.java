/** The backend for NVIDIA GPUs: plans, and what of a run's state they hold on the device. */
@NullMarked
package dev.halfcell.gpu;

import org.jspecify.annotations.NullMarked;
