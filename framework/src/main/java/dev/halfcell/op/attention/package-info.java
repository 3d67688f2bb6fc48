/** Attention: which of many vectors to look at, and how much. */
@NullMarked
package dev.halfcell.op.attention;

import org.jspecify.annotations.NullMarked;
