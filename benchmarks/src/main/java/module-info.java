/** Measurements of HalfCell. */
module dev.halfcell.benchmarks {
  requires dev.halfcell.amp;
  requires dev.halfcell.framework;
  requires dev.halfcell.zoo;
  requires info.picocli;
  requires java.management;
  requires jmh.core;
  requires tools.jackson.core;
  requires tools.jackson.databind;

  opens dev.halfcell.benchmarks to
      info.picocli,
      tools.jackson.databind;
}
