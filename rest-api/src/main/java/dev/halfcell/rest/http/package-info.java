/** The job service over HTTP, as {@code openapi.yaml} describes it. */
@NullMarked
package dev.halfcell.rest.http;

import org.jspecify.annotations.NullMarked;
