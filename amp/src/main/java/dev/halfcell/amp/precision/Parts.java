package dev.halfcell.amp.precision;

import dev.halfcell.op.CellPath;
import dev.halfcell.tensor.ArgumentException;
import dev.halfcell.tensor.DType;
import dev.halfcell.tensor.Problem;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which parts of a network compute in which dtype, by path. A value.
 *
 * <p>Source: OpenSeq2Seq, encoder_params and decoder_params with a dtype of their own.
 */
public record Parts(Map<CellPath, DType> dtypes) {
  /** A part that a cell belongs to. */
  record Part(CellPath path, DType dtype) {}

  public Parts {
    dtypes = Collections.unmodifiableMap(new LinkedHashMap<>(dtypes));
  }

  /** No part is told apart. */
  public static Parts none() {
    return new Parts(Map.of());
  }

  /** With this part, named from the root: {@code encoder} or {@code /encoder/layer1}. */
  Parts with(String name, DType dtype) {
    ArgumentException.require(
        dtype == DType.FP32 || dtype.half(), "parts", "fp32, fp16 or bf16", dtype.label());
    CellPath path = new CellPath(name.startsWith("/") ? name : "/" + name);
    ArgumentException.require(
        !dtypes.containsKey(path), "parts", "one dtype for " + path, "a second");
    Map<CellPath, DType> all = new LinkedHashMap<>(dtypes);
    all.put(path, dtype);
    return new Parts(all);
  }

  /** The innermost part that this path belongs to. */
  Optional<Part> of(CellPath at) {
    return dtypes.entrySet().stream()
        .filter(part -> holds(part.getKey(), at))
        .max(Comparator.comparingInt(part -> part.getKey().text().length()))
        .map(part -> new Part(part.getKey(), part.getValue()));
  }

  /** Whether a part is the cell at this path, or stands around it. */
  static boolean holds(CellPath part, CellPath at) {
    return part.equals(CellPath.ROOT) || part.equals(at) || at.text().startsWith(part.text() + "/");
  }

  /** Throws where a part is none of the network, naming those there are beside it. */
  void requireAmong(Collection<CellPath> cells) {
    for (CellPath part : dtypes.keySet()) {
      if (!cells.contains(part)) {
        throw new ArgumentException(
            new Problem(
                "parts",
                "",
                "a part of the network: " + nearest(part, cells),
                part.text(),
                "A loss is none: call toFloat on the loss cell itself."));
      }
    }
  }

  /** The cells directly below the innermost part of the path that there is. */
  private static String nearest(CellPath part, Collection<CellPath> cells) {
    CellPath there = part;
    while (!cells.contains(there) && !there.equals(CellPath.ROOT)) {
      there = parent(there);
    }
    CellPath found = there;
    return cells.stream()
        .filter(cell -> !cell.equals(CellPath.ROOT) && parent(cell).equals(found))
        .map(CellPath::text)
        .collect(Collectors.joining(", "));
  }

  private static CellPath parent(CellPath path) {
    int slash = path.text().lastIndexOf('/');
    return slash <= 0 ? CellPath.ROOT : new CellPath(path.text().substring(0, slash));
  }
}
