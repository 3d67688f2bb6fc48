/** Tests of traces. */
@NullMarked
package dev.halfcell.rest.tracing;

import org.jspecify.annotations.NullMarked;
