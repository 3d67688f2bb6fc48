/** The job service put together. */
@NullMarked
package dev.halfcell.rest;

import org.jspecify.annotations.NullMarked;
