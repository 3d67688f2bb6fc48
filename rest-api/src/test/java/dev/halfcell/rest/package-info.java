/** Tests of the service as a whole. */
@NullMarked
package dev.halfcell.rest;

import org.jspecify.annotations.NullMarked;
