package dev.halfcell.cli;

import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What running sums of products of half are kept in.
 *
 * @param cells a path pattern; none means everywhere
 */
record PartialsOption(Optional<String> cells, DType dtype) {
  /** Several of them as the value of their key. */
  static Map<String, Object> all(List<PartialsOption> options) {
    Map<String, Object> everywhere = new HashMap<>();
    Map<String, Object> cells = new HashMap<>();
    for (PartialsOption each : options) {
      Map<String, Object> of = each.cells().isPresent() ? cells : everywhere;
      String key = each.cells().orElse("everywhere");
      ArgumentException.require(!of.containsKey(key), "--partials", "one type for " + key, "two");
      of.put(key, each.dtype());
    }
    everywhere.put("cells", cells);
    return everywhere;
  }
}
