@NullMarked
package dev.halfcell.cpu.onednn;

import org.jspecify.annotations.NullMarked;
