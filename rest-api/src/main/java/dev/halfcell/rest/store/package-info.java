/** Where jobs are kept: nothing that was accepted is ever lost. */
@NullMarked
package dev.halfcell.rest.store;

import org.jspecify.annotations.NullMarked;
