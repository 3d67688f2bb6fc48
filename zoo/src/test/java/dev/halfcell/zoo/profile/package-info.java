/** Tests of profiles. */
@NullMarked
package dev.halfcell.zoo.profile;

import org.jspecify.annotations.NullMarked;
