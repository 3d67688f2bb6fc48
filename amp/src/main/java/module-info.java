/** Automatic mixed precision. */
module dev.halfcell.amp {
  requires transitive dev.halfcell.framework;
  requires transitive org.jspecify;
  requires tools.jackson.core;

  exports dev.halfcell.amp;
  exports dev.halfcell.amp.config;
  exports dev.halfcell.amp.diagnosis;
  exports dev.halfcell.amp.precision;
  exports dev.halfcell.amp.scale;
}
