@NullMarked
package dev.halfcell.benchmarks;

import org.jspecify.annotations.NullMarked;
