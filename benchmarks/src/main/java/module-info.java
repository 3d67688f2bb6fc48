/** Measurements of HalfCell. */
module dev.halfcell.benchmarks {
  requires dev.halfcell.amp;
  requires dev.halfcell.cpu;
  requires dev.halfcell.framework;
  requires dev.halfcell.zoo;
  requires jmh.core;
}
