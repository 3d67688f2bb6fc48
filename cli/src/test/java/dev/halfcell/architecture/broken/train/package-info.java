/** Classes that break the rules, to see the rules fail. */
@NullMarked
package dev.halfcell.architecture.broken.train;

import org.jspecify.annotations.NullMarked;
