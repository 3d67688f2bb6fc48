/** The {@code halfcell} program. */
module dev.halfcell.cli {
  requires dev.halfcell.amp;
  requires dev.halfcell.framework;
  requires dev.halfcell.rest;
  requires dev.halfcell.zoo;
  requires info.picocli;
  requires java.desktop;
  requires xchart;

  opens dev.halfcell.cli to
      info.picocli;
}
