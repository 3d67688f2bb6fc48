/** Tests. */
@NullMarked
package dev.halfcell.cli.host;

import org.jspecify.annotations.NullMarked;
