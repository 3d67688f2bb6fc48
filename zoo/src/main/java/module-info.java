/** Networks, data sets and recipes. */
module dev.halfcell.zoo {
  requires transitive dev.halfcell.amp;
  requires transitive dev.halfcell.framework;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires tools.jackson.dataformat.yaml;

  exports dev.halfcell.zoo;
  exports dev.halfcell.zoo.data;
  exports dev.halfcell.zoo.trajectory;
}
