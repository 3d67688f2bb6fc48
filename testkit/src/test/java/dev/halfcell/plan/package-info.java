@NullMarked
package dev.halfcell.plan;

import org.jspecify.annotations.NullMarked;
