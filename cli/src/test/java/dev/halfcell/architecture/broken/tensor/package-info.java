/** Classes that break the rules, to see the rules fail. */
@NullMarked
package dev.halfcell.architecture.broken.tensor;

import org.jspecify.annotations.NullMarked;
