package dev.halfcell.zoo.job;

import dev.halfcell.nn.Cell;
import java.util.List;

/** Cells made of cells. */
public sealed interface CombiningCell extends CellSpecification {
  /** Cells one after the other. */
  record Sequential(
      @Key(value = "The cells, in order.", least = 1, most = 256) List<CellSpecification> cells)
      implements CombiningCell {
    public Sequential {
      cells = List.copyOf(cells);
    }

    @Override
    public Cell build() {
      return new dev.halfcell.nn.Sequential(
          cells.stream().map(CellSpecification::build).toArray(Cell[]::new));
    }
  }

  /** What the branch makes of x, plus x, or plus what the shortcut makes of it. */
  record Residual(
      @Key(value = "Its cells, in order.", least = 1, most = 256) List<CellSpecification> branch,
      @Key(value = "Cells that x goes through; none means x itself.", most = 256)
          List<CellSpecification> shortcut)
      implements CombiningCell {
    public Residual {
      branch = List.copyOf(branch);
      shortcut = List.copyOf(shortcut);
    }

    @Override
    public Cell build() {
      Cell main = new Sequential(branch).build();
      return shortcut.isEmpty()
          ? new dev.halfcell.nn.Residual(main)
          : new dev.halfcell.nn.Residual(main, new Sequential(shortcut).build());
    }
  }
}
