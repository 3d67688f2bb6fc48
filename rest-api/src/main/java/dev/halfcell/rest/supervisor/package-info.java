/**
 * What starts, watches and ends workers in the server: each job that trains has a process of its
 * own, so that whatever happens to one costs one job and not the service.
 */
@NullMarked
package dev.halfcell.rest.supervisor;

import org.jspecify.annotations.NullMarked;
