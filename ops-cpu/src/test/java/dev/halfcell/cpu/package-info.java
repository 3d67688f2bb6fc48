@NullMarked
package dev.halfcell.cpu;

import org.jspecify.annotations.NullMarked;
