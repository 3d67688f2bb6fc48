package dev.halfcell.cli;

import dev.halfcell.amp.AmpOptions;
import dev.halfcell.tensor.DType;
import java.util.Optional;

/**
 * What running sums of products of half are kept in.
 *
 * @param cells a path pattern; none means everywhere
 */
record PartialsOption(Optional<String> cells, DType dtype) {
  /** These options with it. */
  AmpOptions on(AmpOptions options) {
    return cells
        .map(paths -> options.partials(paths, dtype))
        .orElseGet(() -> options.partials(dtype));
  }
}
