/** What a training run writes: its folder and the files in it. Nothing here prints. */
@NullMarked
package dev.halfcell.cli.run;

import org.jspecify.annotations.NullMarked;
