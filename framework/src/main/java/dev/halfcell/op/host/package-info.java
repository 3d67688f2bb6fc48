/** Users' own ops, computed by their own Java code. */
@NullMarked
package dev.halfcell.op.host;

import org.jspecify.annotations.NullMarked;
