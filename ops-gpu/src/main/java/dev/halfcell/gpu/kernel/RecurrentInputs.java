package dev.halfcell.gpu.kernel;

import dev.halfcell.gpu.driver.GpuKernel.Argument;
import dev.halfcell.op.recurrent.Pass;
import java.util.List;
import java.util.Optional;

/** The inputs of the forward pass of a recurrent layer, in memory. */
record RecurrentInputs(Pass pass, List<DeviceTensor> in) {
  private static final int STATES = 5;

  RecurrentInputs {
    in = List.copyOf(in);
  }

  Argument.Address x() {
    return in.get(0).argument();
  }

  Argument.Address weightX() {
    return in.get(1).argument();
  }

  Argument.Address weightH() {
    return in.get(2).argument();
  }

  Argument.Address biasX() {
    return in.get(3).argument();
  }

  Argument.Address biasH() {
    return in.get(4).argument();
  }

  /** An initial state, or no memory where it is zeros or the layer has no such state. */
  Argument.Address initial(int which, int states) {
    return pass.stateful() && which < states
        ? in.get(STATES + which).argument()
        : KernelLaunch.NONE;
  }

  Optional<DeviceTensor> lengths() {
    return pass.lengths() ? Optional.of(in.getLast()) : Optional.empty();
  }

  /** For kernels, which take no memory for samples that are all as long as x. */
  Argument.Address lengthsOrNone() {
    return lengths().map(DeviceTensor::argument).orElse(KernelLaunch.NONE);
  }
}
