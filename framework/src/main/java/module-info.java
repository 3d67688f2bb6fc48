/** HalfCell: mixed-precision training. */
module dev.halfcell.framework {
  requires transitive org.jspecify;
  requires tools.jackson.core;
}
