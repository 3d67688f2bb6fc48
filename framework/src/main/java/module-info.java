/** HalfCell: mixed-precision training. */
module dev.halfcell.framework {
  requires transitive org.jspecify;
  requires tools.jackson.core;

  uses dev.halfcell.backend.BackendProvider;

  exports dev.halfcell.autodiff;
  exports dev.halfcell.backend;
  exports dev.halfcell.data;
  exports dev.halfcell.data.augment;
  exports dev.halfcell.disk;
  exports dev.halfcell.nn;
  exports dev.halfcell.op;
  exports dev.halfcell.op.attention;
  exports dev.halfcell.op.collective;
  exports dev.halfcell.op.convolution;
  exports dev.halfcell.op.elementwise;
  exports dev.halfcell.op.host;
  exports dev.halfcell.op.indexing;
  exports dev.halfcell.op.linear;
  exports dev.halfcell.op.loss;
  exports dev.halfcell.op.normalization;
  exports dev.halfcell.op.pooling;
  exports dev.halfcell.op.precision;
  exports dev.halfcell.op.random;
  exports dev.halfcell.op.recurrent;
  exports dev.halfcell.op.reduction;
  exports dev.halfcell.op.shape;
  exports dev.halfcell.op.update;
  exports dev.halfcell.optim;
  exports dev.halfcell.plan;
  exports dev.halfcell.tensor;
  exports dev.halfcell.train;
  exports dev.halfcell.train.checkpoint;
  exports dev.halfcell.train.diagnosis;
  exports dev.halfcell.train.listener;
  exports dev.halfcell.verify;

  provides dev.halfcell.backend.BackendProvider with
      dev.halfcell.backend.ReferenceProvider;
}
