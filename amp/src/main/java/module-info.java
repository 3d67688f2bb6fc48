/** Mixed precision: levels, precision plans and loss scaling. */
module dev.halfcell.amp {
  requires transitive dev.halfcell.framework;
}
