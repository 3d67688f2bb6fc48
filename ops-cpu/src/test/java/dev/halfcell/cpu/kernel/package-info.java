@NullMarked
package dev.halfcell.cpu.kernel;

import org.jspecify.annotations.NullMarked;
