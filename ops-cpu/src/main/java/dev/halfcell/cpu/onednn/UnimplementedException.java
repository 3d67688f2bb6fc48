package dev.halfcell.cpu.onednn;

import dev.halfcell.tensor.Problem;

/** oneDNN has no primitive for what it was asked, on the CPU at hand. */
public final class UnimplementedException extends CpuException {
  UnimplementedException(String name) {
    super(
        new Problem(
            name,
            "",
            "a primitive that oneDNN has on this CPU",
            "\"unimplemented\"",
            "This is a fault of HalfCell: please report it."));
  }
}
