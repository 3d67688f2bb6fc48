/** Tests of what starts, watches and ends workers. */
@NullMarked
package dev.halfcell.rest.supervisor;

import org.jspecify.annotations.NullMarked;
