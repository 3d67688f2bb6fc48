/** What can be done with jobs, whoever asks: accepting, reading, stopping, following them. */
@NullMarked
package dev.halfcell.rest.service;

import org.jspecify.annotations.NullMarked;
