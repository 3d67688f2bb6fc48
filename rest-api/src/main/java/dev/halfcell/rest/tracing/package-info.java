/** Traces: what belongs together of requests and trainings, sent to where others are looked at. */
@NullMarked
package dev.halfcell.rest.tracing;

import org.jspecify.annotations.NullMarked;
