package dev.halfcell.zoo.job;

import dev.halfcell.tensor.ArgumentException;
import java.util.List;
import java.util.Optional;

/**
 * The network: one of the zoo by its name, or cells one after the other.
 *
 * @param name of a network of the zoo
 * @param cells the cells; instead of a name
 */
@ShortForm("cells")
public record NetworkSpecification(
    @Key("A network of the zoo; `halfcell list` names them.") Optional<String> name,
    @Key(value = "Cells, one after the other, instead of a name.", most = 256)
        List<CellSpecification> cells) {
  public NetworkSpecification {
    cells = List.copyOf(cells);
    ArgumentException.require(
        name.isEmpty() || cells.isEmpty(), "network", "a name or cells", "both");
  }

  /** A network of the zoo. */
  public static NetworkSpecification named(String name) {
    return new NetworkSpecification(Optional.of(name), List.of());
  }

  /** These cells, one after the other. */
  public static NetworkSpecification of(CellSpecification... cells) {
    return new NetworkSpecification(Optional.empty(), List.of(cells));
  }
}
