@NullMarked
package dev.halfcell.zoo.job;

import org.jspecify.annotations.NullMarked;
