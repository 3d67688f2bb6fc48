/** Tests of workers and of how they talk. */
@NullMarked
package dev.halfcell.rest.worker;

import org.jspecify.annotations.NullMarked;
