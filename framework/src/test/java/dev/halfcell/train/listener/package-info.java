@NullMarked
package dev.halfcell.train.listener;

import org.jspecify.annotations.NullMarked;
