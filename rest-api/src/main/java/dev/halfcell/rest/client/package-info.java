/** A client of the job service, over the HTTP client of the JDK. */
@NullMarked
package dev.halfcell.rest.client;

import org.jspecify.annotations.NullMarked;
