/** Golden vectors: results of another framework, read, computed again on a backend, compared. */
@NullMarked
package dev.halfcell.verify;

import org.jspecify.annotations.NullMarked;
