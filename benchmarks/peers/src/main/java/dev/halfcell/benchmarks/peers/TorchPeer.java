package dev.halfcell.benchmarks.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.MemoryFormat;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * libtorch through its JavaCPP presets. Settings: {@code precision} fp32, or bf16 or fp16 by
 * autocast; {@code layout} nchw or nhwc; {@code threads}.
 */
final class TorchPeer implements Peer {
  private final boolean channelsLast;
  private final Optional<ScalarType> autocast;
  private final List<Tensor> parameters = new ArrayList<>();
  private final List<UnaryOperator<Tensor>> layers = new ArrayList<>();
  private final Tensor images;
  private final Tensor labels;
  private final SGD optimizer;

  TorchPeer(Order order) throws IOException {
    channelsLast = order.setting("layout", "nchw").equals("nhwc");
    autocast = autocast(order.setting("precision", "fp32"));
    torch.set_num_threads(Integer.parseInt(order.setting("threads", "2")));
    // Each weight is cast once a step, and a cached copy would outlive the step's scope.
    torch.set_autocast_cache_enabled(false);
    StartValues start = StartValues.read(order.start());
    order.network().layers().forEach(layer -> layers.add(layer(layer, start)));
    images = tensor(start, order.network().batch(order.batch()));
    labels = tensor(start, order.batch()).to(ScalarType.Long);
    start.requireNoneLeft();
    SGDOptions options = new SGDOptions(0.01);
    options.momentum().put(0.9);
    optimizer = new SGD(new TensorVector(parameters.toArray(Tensor[]::new)), options);
  }

  private static Optional<ScalarType> autocast(String precision) {
    return switch (precision) {
      case "fp32" -> Optional.empty();
      case "bf16" -> Optional.of(ScalarType.BFloat16);
      case "fp16" -> Optional.of(ScalarType.Half);
      default -> throw new IllegalArgumentException("no precision " + precision);
    };
  }

  private UnaryOperator<Tensor> layer(Layer layer, StartValues start) {
    return switch (layer) {
      case Layer.Convolution(int inputs, int outputs, int kernel) -> {
        Tensor weight = parameter(start, outputs, inputs, kernel, kernel);
        TensorOptional bias = new TensorOptional(parameter(start, outputs));
        yield x -> torch.conv2d(x, weight, bias, sizes(1), sizes(0), sizes(1), 1);
      }
      case Layer.Dense(int inputs, int outputs) -> {
        Tensor weight = parameter(start, outputs, inputs);
        TensorOptional bias = new TensorOptional(parameter(start, outputs));
        yield x -> torch.linear(x, weight, bias);
      }
      case Layer.MaxPool(int side) ->
          x -> torch.max_pool2d(x, sizes(side), sizes(side), sizes(0), sizes(1), false);
      case Layer.Relu() -> torch::relu;
      case Layer.Flatten() -> x -> x.flatten(1, -1);
    };
  }

  private static long[] sizes(long both) {
    return new long[] {both, both};
  }

  private Tensor tensor(StartValues start, long... sizes) {
    Tensor tensor = torch.tensor(start.next(sizes)).reshape(sizes);
    return channelsLast && sizes.length == 4
        ? tensor.contiguous(MemoryFormat.ChannelsLast)
        : tensor;
  }

  private Tensor parameter(StartValues start, long... sizes) {
    Tensor parameter = tensor(start, sizes).requires_grad_(true);
    parameters.add(parameter);
    return parameter;
  }

  @Override
  public double step() {
    try (PointerScope scope = new PointerScope()) {
      optimizer.zero_grad();
      Tensor loss = forward();
      loss.backward();
      optimizer.step();
      return loss.item_float();
    }
  }

  private Tensor forward() {
    autocast.ifPresent(
        dtype -> {
          torch.set_autocast_dtype(DeviceType.CPU, dtype);
          torch.set_autocast_enabled(DeviceType.CPU, true);
        });
    Tensor x = images;
    for (UnaryOperator<Tensor> layer : layers) {
      x = layer.apply(x);
    }
    Tensor loss = torch.cross_entropy_loss(x, labels);
    torch.set_autocast_enabled(DeviceType.CPU, false);
    return loss;
  }

  @Override
  public Map<String, String> versions() {
    return Map.of("libtorch", torch.class.getPackage().getImplementationVersion());
  }
}
