/** Tests of jobs. */
@NullMarked
package dev.halfcell.rest.http;

import org.jspecify.annotations.NullMarked;
