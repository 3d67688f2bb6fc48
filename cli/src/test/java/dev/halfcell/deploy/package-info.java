/** Tests of the recipes in {@code deploy}. */
@NullMarked
package dev.halfcell.deploy;

import org.jspecify.annotations.NullMarked;
