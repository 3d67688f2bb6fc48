/** Networks, data sets and recipes. */
module dev.halfcell.zoo {
  requires transitive dev.halfcell.amp;
  requires transitive dev.halfcell.framework;

  exports dev.halfcell.zoo;
  exports dev.halfcell.zoo.data;
  exports dev.halfcell.zoo.trajectory;
}
