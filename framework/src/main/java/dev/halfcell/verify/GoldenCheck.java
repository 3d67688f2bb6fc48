package dev.halfcell.verify;

import dev.halfcell.backend.Backend;
import java.util.List;

/** Computes again what one kind of golden file holds. */
public interface GoldenCheck {
  /** Whether this is the kind of file, with nothing in it that cannot be computed yet. */
  boolean covers(GoldenFile file);

  /**
   * Computes on {@code backend} what the file holds, and compares: one or more rows of a report.
   */
  List<Verification> check(GoldenFile file, Backend backend);
}
