/** Tests of the client against servers that break off, lie and stay silent. */
@NullMarked
package dev.halfcell.rest.client;

import org.jspecify.annotations.NullMarked;
