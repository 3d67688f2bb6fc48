/**
 * What looks at the metrics of epochs: when a training has stopped getting better, and when it was
 * best.
 */
@NullMarked
package dev.halfcell.train.listener;

import org.jspecify.annotations.NullMarked;
