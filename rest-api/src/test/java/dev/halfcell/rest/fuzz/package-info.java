/** Requests by the thousand, made of the server's own document, and what must hold for each. */
@NullMarked
package dev.halfcell.rest.fuzz;

import org.jspecify.annotations.NullMarked;
