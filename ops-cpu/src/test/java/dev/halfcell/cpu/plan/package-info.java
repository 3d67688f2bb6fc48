@NullMarked
package dev.halfcell.cpu.plan;

import org.jspecify.annotations.NullMarked;
