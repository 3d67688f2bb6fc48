/** Tests. */
@NullMarked
package dev.halfcell.cli.text;

import org.jspecify.annotations.NullMarked;
