@NullMarked
package dev.halfcell.op.update;

import org.jspecify.annotations.NullMarked;
