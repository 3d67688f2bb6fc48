/** The oneDNN backend: the embedded default. */
module dev.halfcell.cpu {
  requires transitive dev.halfcell.framework;
  requires org.bytedeco.javacpp;
  requires static jdk.incubator.vector;

  exports dev.halfcell.cpu;

  provides dev.halfcell.backend.BackendProvider with
      dev.halfcell.cpu.CpuProvider;
}
