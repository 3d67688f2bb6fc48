@NullMarked
package dev.halfcell.amp.config;

import org.jspecify.annotations.NullMarked;
