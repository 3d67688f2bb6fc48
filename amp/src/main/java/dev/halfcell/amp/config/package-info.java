/** Precision as the configuration files of other systems spell it. */
@NullMarked
package dev.halfcell.amp.config;

import org.jspecify.annotations.NullMarked;
