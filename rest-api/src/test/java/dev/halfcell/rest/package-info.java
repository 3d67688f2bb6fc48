/** Tests. */
@NullMarked
package dev.halfcell.rest;

import org.jspecify.annotations.NullMarked;
