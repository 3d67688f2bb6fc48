/** Tests of where jobs are kept. */
@NullMarked
package dev.halfcell.rest.store;

import org.jspecify.annotations.NullMarked;
