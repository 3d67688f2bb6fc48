/** The oneDNN backend. */
module dev.halfcell.cpu {
  requires transitive dev.halfcell.framework;
  requires org.bytedeco.dnnl;
  requires org.bytedeco.javacpp;
}
