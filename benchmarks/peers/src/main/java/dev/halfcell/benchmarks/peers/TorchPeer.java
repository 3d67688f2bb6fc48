package dev.halfcell.benchmarks.peers;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * libtorch through its JavaCPP presets. Settings: {@code precision} FP32, or BF16 or FP16 by
 * autocast; {@code layout} nchw or nhwc; {@code threads}, otherwise all processors.
 */
final class TorchPeer implements Peer {
  private final Optional<ScalarType> autocast;
  private final UnaryOperator<Tensor> network;
  private final Tensor data;
  private final Tensor labels;
  private final SGD optimizer;

  TorchPeer(Order order) throws IOException {
    autocast = autocast(order.setting("precision", "FP32"));
    int processors = Runtime.getRuntime().availableProcessors();
    torch.set_num_threads(Integer.parseInt(order.setting("threads", "" + processors)));
    // Each weight is cast once a step, and a cached copy would outlive the step's scope.
    torch.set_autocast_cache_enabled(false);
    try (StartValues start = StartValues.open(order.start())) {
      TorchValues values = new TorchValues(start, order.setting("layout", "nchw").equals("nhwc"));
      network = new TorchLayers(values).sequence(order.network().layers());
      data = values.next(order.network().batch(order.batch()));
      labels = values.next(order.batch()).to(ScalarType.Long);
      start.requireNoneLeft();
      SGDOptions options = new SGDOptions(order.learningRate());
      options.momentum().put(0.9);
      optimizer = new SGD(new TensorVector(values.parameters()), options);
    }
  }

  private static Optional<ScalarType> autocast(String precision) {
    return switch (precision) {
      case "FP32" -> Optional.empty();
      case "BF16" -> Optional.of(ScalarType.BFloat16);
      case "FP16" -> Optional.of(ScalarType.Half);
      default -> throw new IllegalArgumentException("no precision " + precision);
    };
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
    Tensor loss = torch.cross_entropy_loss(network.apply(data), labels);
    torch.set_autocast_enabled(DeviceType.CPU, false);
    return loss;
  }

  @Override
  public Map<String, String> versions() {
    return Map.of("libtorch", torch.class.getPackage().getImplementationVersion());
  }
}
