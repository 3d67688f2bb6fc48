/** The backend for NVIDIA GPUs. */
module dev.halfcell.gpu {
  requires transitive dev.halfcell.framework;
  requires jcuda;

  exports dev.halfcell.gpu;

  provides dev.halfcell.backend.BackendProvider with
      dev.halfcell.gpu.GpuProvider;
}
