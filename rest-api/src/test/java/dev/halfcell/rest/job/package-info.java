/** Tests of jobs. */
@NullMarked
package dev.halfcell.rest.job;

import org.jspecify.annotations.NullMarked;
