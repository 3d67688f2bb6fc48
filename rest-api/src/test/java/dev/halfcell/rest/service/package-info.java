/** Tests of jobs. */
@NullMarked
package dev.halfcell.rest.service;

import org.jspecify.annotations.NullMarked;
