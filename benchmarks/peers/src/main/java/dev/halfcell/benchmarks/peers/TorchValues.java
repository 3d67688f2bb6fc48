package dev.halfcell.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.MemoryFormat;

/** Start values as libtorch's tensors; it remembers which of them are parameters. */
final class TorchValues {
  private final StartValues start;
  private final boolean channelsLast;
  private final List<Tensor> parameters = new ArrayList<>();

  TorchValues(StartValues start, boolean channelsLast) {
    this.start = start;
    this.channelsLast = channelsLast;
  }

  Tensor next(long... sizes) {
    Tensor tensor = torch.tensor(start.next(sizes)).reshape(sizes);
    return channelsLast && sizes.length == 4
        ? tensor.contiguous(MemoryFormat.ChannelsLast)
        : tensor;
  }

  Tensor parameter(long... sizes) {
    Tensor parameter = next(sizes).requires_grad_(true);
    parameters.add(parameter);
    return parameter;
  }

  TensorOptional optional(long... sizes) {
    return new TensorOptional(parameter(sizes));
  }

  /** Those handed out so far, in order. */
  Tensor[] parameters() {
    return parameters.toArray(Tensor[]::new);
  }
}
