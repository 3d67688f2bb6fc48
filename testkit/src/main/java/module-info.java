/** Contracts that ops, backends, cells, optimizers and networks must hold. */
module dev.halfcell.testkit {
  requires transitive dev.halfcell.amp;
  requires transitive dev.halfcell.framework;
  requires transitive java.sql;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;

  exports dev.halfcell.testkit;
  exports dev.halfcell.testkit.disk;
}
