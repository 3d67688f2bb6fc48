@NullMarked
package dev.halfcell.op.linear;

import org.jspecify.annotations.NullMarked;
