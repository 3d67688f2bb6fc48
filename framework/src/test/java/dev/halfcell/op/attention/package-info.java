@NullMarked
package dev.halfcell.op.attention;

import org.jspecify.annotations.NullMarked;
