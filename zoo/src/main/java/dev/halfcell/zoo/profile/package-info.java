/** Where the time of a run's steps goes: measured, summed up, and written for trace viewers. */
@NullMarked
package dev.halfcell.zoo.profile;

import org.jspecify.annotations.NullMarked;
