/** A job as the service keeps it: its states, what moves it, and what is told of it. */
@NullMarked
package dev.halfcell.rest.job;

import org.jspecify.annotations.NullMarked;
