package dev.halfcell.amp.precision;

import dev.halfcell.op.CellPath;
import dev.halfcell.op.Ops;
import dev.halfcell.tensor.Tensor;

/**
 * What a cell sees of a parameter that it reads. The value in the state stays as it is, in FP32;
 * what is handed out may be anything that ops make of it, such as a cast or a weight norm, and the
 * gradient goes through those ops. It is asked once for each read, in steps and in inference alike,
 * and has to answer the same for the same path.
 *
 * <p>Source: TensorFlow, {@code tf.variable_scope(custom_getter=...)}, as used by Graphcore's
 * mixed-precision guide.
 */
@FunctionalInterface
public interface ParameterGetter {
  /**
   * The tensor to hand out, of the parameter's shape.
   *
   * @param path where the parameter stands
   * @param value its value, FP32
   * @param ops what to compute with; the plan casts nothing in it
   */
  Tensor get(CellPath path, Tensor value, Ops ops);
}
