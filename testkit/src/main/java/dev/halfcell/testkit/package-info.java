/** Contracts that ops, backends, cells, optimizers and networks must hold. */
@NullMarked
package dev.halfcell.testkit;

import org.jspecify.annotations.NullMarked;
