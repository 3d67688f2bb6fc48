/** What turns gradients into new parameters: rules, schedules, counters. */
@NullMarked
package dev.halfcell.op.update;

import org.jspecify.annotations.NullMarked;
