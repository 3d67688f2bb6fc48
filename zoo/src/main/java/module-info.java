/** Networks, data sets, recipes and runs. */
module dev.halfcell.zoo {
  requires transitive dev.halfcell.amp;
  requires transitive dev.halfcell.framework;
  requires java.desktop;
  requires jdk.management;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires tools.jackson.dataformat.yaml;

  exports dev.halfcell.zoo;
  exports dev.halfcell.zoo.data;
  exports dev.halfcell.zoo.host;
  exports dev.halfcell.zoo.job;
  exports dev.halfcell.zoo.log;
  exports dev.halfcell.zoo.profile;
  exports dev.halfcell.zoo.run;
  exports dev.halfcell.zoo.trajectory;
}
