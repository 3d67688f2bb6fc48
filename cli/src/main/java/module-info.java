/** The {@code halfcell} program. */
module dev.halfcell.cli {
  requires dev.halfcell.amp;
  requires dev.halfcell.framework;
  requires dev.halfcell.zoo;
  requires info.picocli;
  requires org.slf4j;
  requires tools.jackson.core;
  requires tools.jackson.databind;
}
