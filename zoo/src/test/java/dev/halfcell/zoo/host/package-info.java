/** Tests. */
@NullMarked
package dev.halfcell.zoo.host;

import org.jspecify.annotations.NullMarked;
