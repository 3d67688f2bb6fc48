/** Automatic mixed precision. */
module dev.halfcell.amp {
  requires transitive dev.halfcell.framework;
  requires transitive org.jspecify;

  exports dev.halfcell.amp;
  exports dev.halfcell.amp.config;
  exports dev.halfcell.amp.diagnosis;
  exports dev.halfcell.amp.precision;
}
