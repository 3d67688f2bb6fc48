@NullMarked
package dev.halfcell.benchmarks.op;

import org.jspecify.annotations.NullMarked;
